#include <stdio.h>
static int f(int x) { switch (x) { case 0: return 5; case 1: case 2: return 6; case 3: x = 9; case 4: return x; case 5: break; case 7: return -1; default: return 100; } return 50; }
int main(void) { for (int i = -1; i < 9; i++) printf("%d ", f(i)); puts(""); return f(3); }
