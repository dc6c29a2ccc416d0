#include <stdio.h>
#include <stdlib.h>
int main(void) { char *e; printf("%d %d %ld\n", atoi("42x"), atoi("  -7"), atol("99999999999")); printf("%ld ", strtol("0x1fz", &e, 16)); printf("%s ", e); printf("%ld ", strtol("077", &e, 0)); printf("%ld %ld ", strtol("0xff", 0, 0), strtol("101", 0, 2)); printf("%lu\n", strtoul("4294967296", 0, 10)); printf("%g %g ", atof("2.5"), strtod("1e3abc", &e)); puts(e); printf("%d %ld %d\n", abs(-5), labs(-6L), (int)strtol("none", &e, 10)); puts(e); div_t d = div(17, 5); printf("%d %d\n", d.quot, d.rem); return 0; }
