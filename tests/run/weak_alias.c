#include <stdio.h>
int impl(int x) { return x + 1; } int other(int x) __attribute__((alias("impl"))); __attribute__((weak)) int w(void) { return 3; } extern int nowhere(void) __attribute__((weak)); static int hidden __attribute__((used)) = 4;
int main(void) { printf("%d %d %d\n", other(4), w(), nowhere ? 1 : 0); return hidden; }
