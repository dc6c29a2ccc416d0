#include <stdio.h>
int main(void) { const char *s = "h\xc3\xa9llo \xe2\x82\xac"; int n = 0; for (const unsigned char *p = (const unsigned char *)s; *p; p++) if ((*p & 0xc0) != 0x80) n++; printf("%s %d\n", s, n); int w[] = {0x20ac, 0}; printf("%x\n", w[0]); return n; }
