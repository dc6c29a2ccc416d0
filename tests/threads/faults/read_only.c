// read_only_write
int main(void) { char *p = (char *)"text"; p[0] = 0; return 0; }
