#include <stdio.h>
static unsigned t[256]; static unsigned crc(const char *s) { unsigned c = ~0u; for (; *s; s++) c = t[(c ^ (unsigned char)*s) & 255] ^ c >> 8; return ~c; }
int main(void) { for (unsigned i = 0; i < 256; i++) { unsigned c = i; for (int k = 0; k < 8; k++) c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1; t[i] = c; } printf("%08x %08x\n", crc("123456789"), crc("")); return 0; }
