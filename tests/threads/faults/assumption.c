// abandoned
void norn_assume(int);
int main(int argc, char **argv) { norn_assume(argc == 2); return 0; }
