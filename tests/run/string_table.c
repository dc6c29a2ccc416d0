#include <stdio.h>
static const char *const words[][2] = {{"one", "uno"}, {"two", "due"}, {"three", "tre"}}; static const char *tr(const char *s) { for (unsigned i = 0; i < sizeof words / sizeof *words; i++) { const char *a = s, *b = words[i][0]; while (*a && *a == *b) a++, b++; if (*a == *b) return words[i][1]; } return "?"; }
int main(void) { printf("%s %s %s\n", tr("two"), tr("three"), tr("four")); char copy[3][8]; for (int i = 0; i < 3; i++) { int j = 0; do copy[i][j] = words[i][0][j]; while (words[i][0][j++]); } printf("%s %s\n", copy[2], &copy[0][1]); return 0; }
