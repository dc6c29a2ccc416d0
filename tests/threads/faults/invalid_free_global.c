// invalid_free
#include <stdlib.h>
static int x;
int main(void) { free(&x); }
