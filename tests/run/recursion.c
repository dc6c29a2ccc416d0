#include <stdio.h>
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); } static int ack(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1)); } static int even(int n); static int odd(int n) { return n == 0 ? 0 : even(n - 1); } static int even(int n) { return n == 0 ? 1 : odd(n - 1); } static void hanoi(int n, char a, char b, char c) { if (n) { hanoi(n - 1, a, c, b); printf("%c%c ", a, b); hanoi(n - 1, c, b, a); } }
int main(void) { printf("%d %d %d\n", fib(15), ack(2, 3), even(101)); hanoi(4, 'A', 'B', 'C'); puts(""); return fib(10); }
