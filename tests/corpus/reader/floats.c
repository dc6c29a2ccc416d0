#include <math.h>
float third = 1.0f / 3;
double pi = 3.14159265358979;
double tiny = 4.9e-324, huge = 1e308;
long double ld = 1.1L;
float inf = INFINITY, not_a_number = NAN;
double negative_zero = -0.0;
float fma_it(float a, float b) { return a * b + third - (-a) / b; }
int compare(double a, double b) { return (a < b) | (a <= b) << 1 | (a == b) << 2 | (a != b) << 3 | isunordered(a, b) << 4; }
long to_long(double d) { return (long)d + (unsigned)d + (short)(float)d; }
double convert(long a, unsigned b, float f) { return a + b + f; }
long double extend(double d) { return d * ld; }
double library(double x) { return sqrt(x) + fabs(x) + floor(x) + fmod(x, 2) + pow(x, 3); }
_Complex double complex_mul(_Complex double a, _Complex double b) { return a * b; }
#if __clang_major__ >= 16
_Float16 half(_Float16 a) { return a * (_Float16)1.5; }
#endif
