#include <stdio.h>
static int q[] = {7, -7, 7, -7}, d[] = {2, 2, -2, -2};
int main(void) {
    for (int i = 0; i < 4; i++) printf("%d %d\n", q[i] / d[i], q[i] % d[i]);
    long a = -9223372036854775807L; printf("%ld %ld\n", a / 10, a % 10);
    signed char c = -100; printf("%d %d\n", c / 7, c % 7);
    return 0;
}
