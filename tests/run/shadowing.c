#include <stdio.h>
static int x = 1;
int main(void) { printf("%d ", x); int x = 2; { int x = 3; printf("%d ", x); { extern int y; int x = 4; x++; printf("%d ", x); } x = 9; } printf("%d ", x); for (int x = 7; x < 8; x++) printf("%d ", x); puts(""); return x; }
