#include <stdio.h>
static unsigned char m[8]; static int get(int r, int c) { return m[r] >> c & 1; } static void set(int r, int c, int v) { m[r] = (unsigned char)(v ? m[r] | 1 << c : m[r] & ~(1 << c)); }
int main(void) { for (int i = 0; i < 8; i++) { set(i, i, 1); set(i, (i * 3) % 8, 1); } for (int i = 0; i < 8; i++) for (int j = 0; j < i; j++) { int t = get(i, j); set(i, j, get(j, i)); set(j, i, t); } for (int i = 0; i < 8; i++) printf("%02x ", m[i]); puts(""); return 0; }
