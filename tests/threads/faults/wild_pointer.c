// wild_pointer
int main(void) { int *volatile p = (int *)0x7fff00000000; return *p; }
