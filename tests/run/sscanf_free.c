#include <stdio.h>
#include <string.h>
static int num(const char **s) { int v = 0; while (**s >= '0' && **s <= '9') v = v * 10 + *(*s)++ - '0'; return v; }
int main(void) { const char *s = "192.168.10.1"; unsigned ip = 0; for (int i = 0; i < 4; i++) { ip = ip << 8 | (unsigned)num(&s); if (*s == '.') s++; } printf("%08x %u\n", ip, ip); return 0; }
