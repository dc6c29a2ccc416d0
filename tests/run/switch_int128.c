#include <stdio.h>
static int f(__int128 x) { switch (x) { case 1: return 10; case -1: return 20; case (__int128)1 << 90: return 30; } return 0; }
int main(void) { printf("%d %d %d %d\n", f(1), f(-1), f((__int128)1 << 90), f(7)); return 0; }
