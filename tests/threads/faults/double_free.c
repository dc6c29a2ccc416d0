// double_free
#include <stdlib.h>
int main(void) { int *p = malloc(8); free(p); free(p); }
