#include <stdio.h>
#include <math.h>
int main(void) {
    double v[] = {0.5, 1.5, 2.5, -0.5, -1.5, 2.0, 9.0, -3.7};
    for (int i = 0; i < 8; i++) printf("%g %g %g %g %g %g\n", floor(v[i]), ceil(v[i]), trunc(v[i]), round(v[i]), rint(v[i]), fabs(v[i]));
    printf("%.10g %.10g %.10g\n", sqrt(2), pow(2, 0.5), fmod(7.5, 2)); printf("%g %g %g\n", fmin(1, 2), fmax(1, 2), copysign(3, -1));
    printf("%g %g\n", sqrtf(2.25f), floorf(-1.5f)); return 0;
}
