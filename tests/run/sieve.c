#include <stdio.h>
#include <string.h>
int main(void) { static char s[1000]; int n = 0; memset(s, 1, sizeof s); for (int i = 2; i < 1000; i++) if (s[i]) { n++; for (int j = i * 2; j < 1000; j += i) s[j] = 0; } printf("%d\n", n); return 0; }
