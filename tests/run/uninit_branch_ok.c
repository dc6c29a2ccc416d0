#include <stdio.h>
static int f(int k) { int x, y; if (k > 2) { x = k; y = 1; } else { x = -k; y = 2; } int z; switch (k) { case 0: z = 5; break; case 1: z = 6; break; default: z = 7; } while (k-- > 0) { int w; w = z + k; x += w; } return x * y; }
int main(void) { for (int i = 0; i < 5; i++) printf("%d ", f(i)); puts(""); return 0; }
