#include <stdio.h>
#include <alloca.h>
#include <string.h>
static int f(int n) { char *p = alloca((unsigned long)n + 1); memset(p, 'a', (unsigned long)n); p[n] = 0; return (int)strlen(p); }
int main(void) { int s = 0; for (int i = 0; i < 5; i++) s += f(i * 3); printf("%d\n", s); return 0; }
