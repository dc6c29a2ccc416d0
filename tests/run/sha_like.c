#include <stdio.h>
#include <stdint.h>
static uint32_t rotl(uint32_t x, int n) { return x << n | x >> (32 - n); } static uint64_t rot64(uint64_t x, int n) { return x >> n | x << (64 - n); }
int main(void) { uint32_t a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476, e = 0xc3d2e1f0; for (int i = 0; i < 80; i++) { uint32_t f = i < 20 ? (b & c) | (~b & d) : i < 40 ? b ^ c ^ d : (b & c) | (b & d) | (c & d); uint32_t t = rotl(a, 5) + f + e + 0x5a827999u + (uint32_t)i * 0x9e3779b9u; e = d; d = c; c = rotl(b, 30); b = a; a = t; } printf("%08x%08x%08x%08x%08x\n", a, b, c, d, e); uint64_t h = 14695981039346656037ul; for (int i = 0; i < 100; i++) { h ^= (uint64_t)i; h *= 1099511628211ul; h = rot64(h, 13); } printf("%016lx\n", h); return 0; }
