#include <stdio.h>
#include <stdint.h>
#include <inttypes.h>
int main(void) { uint8_t a = 255; uint16_t b = 65535; uint32_t c = UINT32_MAX; uint64_t d = UINT64_MAX; int8_t e = INT8_MIN; int64_t f = INT64_MIN; printf("%" PRIu8 " %" PRIu16 " %" PRIu32 " %" PRIu64 " %" PRId8 " %" PRId64 "\n", a, b, c, d, e, f); a++; b++; c++; d++; e--; printf("%d %d %u %lu %d\n", a, b, c, d, e); printf("%lu\n", (uint64_t)c - 1); return 0; }
