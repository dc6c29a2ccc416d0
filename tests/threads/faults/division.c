// division_by_zero
int main(int argc, char **argv) { return 7 / (argc - 1); }
