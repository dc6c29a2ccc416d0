#include <stdio.h>
#include <stdlib.h>
static void bye(void) { puts("bye"); } static void later(void) { puts("later"); }
int main(void) { atexit(bye); atexit(later); puts("main"); if (getenv("SURELY_NOT_SET_ANYWHERE") == 0) exit(42); return 1; }
