#include <stdio.h>
static int calls_a, calls_b; static int b(int); static int a(int n) { static int depth; depth++; calls_a++; int r = n <= 0 ? depth : b(n - 1); depth--; return r; } static int b(int n) { calls_b++; return n % 2 ? a(n - 1) : a(n / 2); }
int main(void) { printf("%d ", a(20)); printf("%d %d\n", calls_a, calls_b); return 0; }
