// Loops that become vector code at -O2, and explicit vectors.
typedef int v4 __attribute__((vector_size(16)));
typedef float f8 __attribute__((vector_size(32)));
v4 constant = {1, 2, 3, 4};
int total(const int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
void scale(float *restrict a, const float *restrict b, int n) { for (int i = 0; i < n; i++) a[i] = b[i] * 2.5f + 1; }
void widen(long *restrict a, const unsigned char *restrict b, int n) { for (int i = 0; i < n; i++) a[i] += b[i]; }
v4 arith(v4 a, v4 b) { return (a + b * constant) ^ (a > b); }
f8 floats(f8 a) { return a * a - (f8){1}; }
int lane(v4 a, int i) { a[i] = 7; return a[2]; }
v4 shuffle(v4 a, v4 b) { return __builtin_shufflevector(a, b, 0, 5, 2, 7); }
unsigned maximum(const unsigned *a) { unsigned m = 0; for (int i = 0; i < 64; i++) m = a[i] > m ? a[i] : m; return m; }
