#include <stdio.h>
int main(void) {
    unsigned a = 0; a--; unsigned long b = 0; b -= 2; unsigned char c = 250; c += 10; unsigned short d = 65535; d++;
    printf("%u %lu %u %u\n", a, b, c, d);
    printf("%u %u\n", 4000000000u + 500000000u, 3u - 5u);
    printf("%lu\n", 0xfffffffffffffffful * 3);
    return c;
}
