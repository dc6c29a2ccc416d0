#include <stdio.h>
static int calls; static int t(int r) { calls++; return r; }
int main(void) {
    printf("%d%d%d%d ", t(1) && t(0), t(0) && t(1), t(1) || t(0), t(0) || t(0)); printf("%d\n", calls);
    _Bool b = 1; b = !b; printf("%d\n", b); b ^= 1; printf("%d\n", b); b += 5; printf("%d\n", b); b--; printf("%d\n", b);
    int x = t(3) ? t(4) : t(5); printf("%d %d\n", x, calls); printf("%d\n", !!7 + !0 + !5);
    printf("%d\n", (t(0), t(9))); return calls;
}
