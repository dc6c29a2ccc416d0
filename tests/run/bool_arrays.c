#include <stdio.h>
#include <stdbool.h>
static bool seen[26]; static bool pangram(const char *s) { for (int i = 0; i < 26; i++) seen[i] = false; for (; *s; s++) { char c = *s | 32; if (c >= 'a' && c <= 'z') seen[c - 'a'] = true; } bool all = true; for (int i = 0; i < 26; i++) all &= seen[i]; return all; }
int main(void) { printf("%d %d\n", pangram("The quick brown fox jumps over the lazy dog"), pangram("hello")); bool b = 3; int x = b + b; printf("%d %lu\n", x, sizeof seen); return 0; }
