#include <stdio.h>
#include <assert.h>
int main(void) { int x = 3; assert(x == 3); assert(x > 0 && "positive"); puts("fine"); return 0; }
