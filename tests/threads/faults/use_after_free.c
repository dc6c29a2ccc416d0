// use_after_free
#include <stdlib.h>
int main(void) { int *p = malloc(8); p[0] = 1; free(p); return p[0]; }
