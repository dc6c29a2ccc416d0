#include <stdio.h>
#include <errno.h>
#include <stdlib.h>
int main(void) { errno = 0; long v = strtol("99999999999999999999", 0, 10); printf("%ld %d\n", v, errno == ERANGE); errno = 5; int e = errno; printf("%d\n", e); return 0; }
