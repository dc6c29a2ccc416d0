typedef __int128 i128;
typedef unsigned __int128 u128;
u128 constant = ((u128)0x123456789abcdefULL << 64) | 42;
i128 minimum = (i128)1 << 127;
u128 mul(u128 a, u128 b) { return a * b + constant; }
i128 divide(i128 a, i128 b) { return a / b - a % b; }
u128 shift(u128 a, int n) { return a << n | a >> (128 - n); }
int compare(i128 a, u128 b) { return a < minimum || b > constant; }
double to_double(i128 a) { return (double)a; }
u128 from_double(double d) { return (u128)d; }
struct holder { char c; i128 v; } h = {1, -1};
