// null_pointer
int main(void) { int *volatile p = 0; return *p; }
