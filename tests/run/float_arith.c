#include <stdio.h>
int main(void) {
    float a = 1.5f, b = 0.1f; double c = 3.25, d = -7.125;
    printf("%f %f %f %f\n", a + b, a - b, a * b, a / b); printf("%.15g %.15g %.15g %.15g\n", c + d, c - d, c * d, c / d);
    printf("%d%d%d%d%d\n", a < b, a > b, a == a, c != d, c >= d); printf("%g\n", a + c); a += 2; c *= d; printf("%g %g %g\n", a, c, -c);
    float s = 0; for (int i = 0; i < 10; i++) s += 0.1f; printf("%.9g %d\n", s, s == 1.0f); return 0;
}
