#include <stdio.h>
int main(void) { char c = (char)0xff; signed char s = (signed char)0xff; unsigned char u = 0xff; printf("%d %d %d\n", c, s, u); printf("%d\n", c == s); for (unsigned char i = 250; i > 5; i++) printf("%d ", i); puts(""); return 0; }
