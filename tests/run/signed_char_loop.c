#include <stdio.h>
int main(void) { int c = 0; for (signed char i = 120; i > 0 && i < 127; i++) c++; for (unsigned char u = 3; u <= 3; u--) c += 10; short s = 32767; s = (short)(s + 1); printf("%d %d\n", c, s); return 0; }
