#include <stdio.h>
static int col[8], d1[15], d2[15], n; static void place(int r) { if (r == 6) { n++; return; } for (int c = 0; c < 6; c++) if (!col[c] && !d1[r + c] && !d2[r - c + 7]) { col[c] = d1[r + c] = d2[r - c + 7] = 1; place(r + 1); col[c] = d1[r + c] = d2[r - c + 7] = 0; } }
int main(void) { place(0); printf("%d\n", n); return n; }
