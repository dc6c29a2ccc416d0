// out_of_bounds
static int a[4];
int main(int argc, char **argv) { return a[3 + argc]; }
