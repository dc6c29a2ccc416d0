#include <stdio.h>
#include <math.h>
int main(void) {
    double inf = INFINITY, nan = NAN, z = 0.0, nz = -0.0;
    printf("%f %f %f %f\n", inf, -inf, 1 / inf, inf - 1); printf("%d %d %d\n", nan == nan, nan < 1, nan != nan);
    printf("%d %d %d\n", isnan(nan), isinf(inf) != 0, isfinite(1.0)); printf("%g %g %d\n", z, nz, z == nz); printf("%d\n", signbit(nz) != 0);
    printf("%d\n", isnan(inf - inf)); printf("%d %d\n", inf > 1e308, -inf < -1e308); return 0;
}
