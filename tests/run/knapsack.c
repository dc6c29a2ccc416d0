#include <stdio.h>
int main(void) { int w[] = {12, 7, 11, 8, 9}, v[] = {24, 13, 23, 15, 16}, best[27] = {0}; for (int i = 0; i < 5; i++) for (int c = 26; c >= w[i]; c--) { int t = best[c - w[i]] + v[i]; if (t > best[c]) best[c] = t; } printf("%d\n", best[26]); return best[26]; }
