#include <stdio.h>
static const char *f(long x) { switch (x) { case -1000000: return "a"; case 0: return "b"; case 1L << 40: return "c"; case 12345 ... 12350: return "d"; } return "?"; } static int g(unsigned char c) { switch (c) { case 'a' ... 'z': return 1; case '0' ... '9': return 2; case 255: return 3; } return 0; }
int main(void) { long v[] = {-1000000, 0, 1L << 40, 12347, 12351, 5}; for (int i = 0; i < 6; i++) printf("%s", f(v[i])); printf(" %d%d%d%d\n", g('q'), g('5'), g(255), g(' ')); return 0; }
