#include <stdio.h>
#define W 8
static unsigned char g[W][W], h[W][W];
int main(void) { g[1][2] = g[2][3] = g[3][1] = g[3][2] = g[3][3] = 1; for (int t = 0; t < 4; t++) { for (int y = 0; y < W; y++) for (int x = 0; x < W; x++) { int n = 0; for (int dy = -1; dy <= 1; dy++) for (int dx = -1; dx <= 1; dx++) if (dx || dy) n += g[(y + dy + W) % W][(x + dx + W) % W]; h[y][x] = n == 3 || (n == 2 && g[y][x]); } __builtin_memcpy(g, h, sizeof g); } for (int y = 0; y < W; y++) { for (int x = 0; x < W; x++) putchar(g[y][x] ? '#' : '.'); putchar('\n'); } return 0; }
