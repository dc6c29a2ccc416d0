// uninitialised_read
#include <stdlib.h>
int main(void) { int *p = malloc(8); return p[1]; }
