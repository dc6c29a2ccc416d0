// out_of_bounds
#include <stdlib.h>
int main(int argc, char **argv) { char *p = malloc(8); p[7 + argc] = 1; return 0; }
