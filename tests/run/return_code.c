int main(void) { return 7 * 9; }
