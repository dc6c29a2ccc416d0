#include <stdio.h>
struct big { int a[200]; char tag[8]; }; static struct big make(int s) { struct big b; for (int i = 0; i < 200; i++) b.a[i] = s + i; __builtin_strcpy(b.tag, "big"); return b; } static long sum(struct big b) { long s = 0; for (int i = 0; i < 200; i++) s += b.a[i]; b.a[0] = -1; return s; }
int main(void) { struct big x = make(5), y; y = x; y.a[3] = 1000; printf("%ld %ld %d %s\n", sum(x), sum(y), x.a[0], y.tag); return 0; }
