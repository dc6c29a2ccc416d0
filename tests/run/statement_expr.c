#include <stdio.h>
#define max(a, b) ({ __typeof__(a) x_ = (a); __typeof__(b) y_ = (b); x_ > y_ ? x_ : y_; })
int main(void) { int i = 3; printf("%d %d %g\n", max(i++, 2), i, max(1.5, 2.5)); int v = ({ int s = 0; for (int k = 0; k < 5; k++) s += k; s; }); printf("%d\n", v ?: 7); return 0 ?: 4; }
