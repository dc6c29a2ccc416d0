#include <stdio.h>
static unsigned long state = 42; static unsigned rnd(void) { state ^= state << 13; state ^= state >> 7; state ^= state << 17; return (unsigned)(state >> 11); }
int main(void) { unsigned h[8] = {0}; for (int i = 0; i < 800; i++) h[rnd() % 8]++; for (int i = 0; i < 8; i++) printf("%u ", h[i]); puts(""); return 0; }
