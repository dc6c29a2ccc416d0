#include <stdio.h>
#include <ctype.h>
int main(void) { const char *s = "aZ5 _\t\n~"; for (; *s; s++) printf("%d%d%d%d%d%d%d%d%d ", !!isalpha(*s), !!isdigit(*s), !!isalnum(*s), !!isspace(*s), !!isupper(*s), !!islower(*s), !!ispunct(*s), !!isxdigit(*s), !!isprint(*s)); printf("%c%c%c\n", toupper('q'), tolower('Q'), toupper('5')); return 0; }
