#include <stddef.h>
#include <string.h>
_Bool overflow(int a, int b, int *r) { return __builtin_add_overflow(a, b, r) || __builtin_mul_overflow(a, b, r) || __builtin_sub_overflow(a, b, r); }
int bits(unsigned x, unsigned long y) { return __builtin_popcount(x) + __builtin_clz(x) + __builtin_ctzl(y) + __builtin_ffs(x) + __builtin_parity(x); }
unsigned swap(unsigned x, unsigned short y) { return __builtin_bswap32(x) + __builtin_bswap16(y) + __builtin_bitreverse32(x) + __builtin_rotateleft32(x, 5); }
void memory(char *a, const char *b, size_t n) { memcpy(a, b, n); memmove(a, b, 16); memset(a, 0, n); }
int expect(int x) { if (__builtin_expect(x == 3, 0)) __builtin_trap(); __builtin_assume(x > 0); return __builtin_abs(x) + __builtin_constant_p(x); }
size_t size(char *p) { char b[10]; return __builtin_object_size(b, 0) + __builtin_object_size(p, 1); }
void *frame(void) { return __builtin_alloca(32 + (size_t)__builtin_frame_address(0) % 16); }
void prefetch(int *p) { __builtin_prefetch(p, 1, 3); }
