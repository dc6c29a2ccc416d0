#include <stdio.h>
int main(void) {
    double v[] = {0.0, 1.9, -1.9, 123456.789, -0.5, 2147483647.0, 1e10};
    for (int i = 0; i < 7; i++) printf("%ld %f %.3f\n", (long)v[i], (double)(float)v[i], v[i]);
    printf("%d %u %d %lu\n", (int)3.99f, (unsigned)3e9, (short)-12.7, (unsigned long)1.8e19);
    printf("%f %f %f %f\n", (float)16777217, (double)-5L, (float)4000000000u, (double)18446744073709551615ul);
    printf("%f %f\n", (double)(char)200, (float)(unsigned char)200); return (int)2.7;
}
