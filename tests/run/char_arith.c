#include <stdio.h>
static int hexval(char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1; } static void rot13(char *s) { for (; *s; s++) if (*s >= 'a' && *s <= 'z') *s = (char)((*s - 'a' + 13) % 26 + 'a'); }
int main(void) { char s[] = "hello"; rot13(s); puts(s); rot13(s); puts(s); printf("%d %d %d\n", hexval('7'), hexval('e'), hexval('z')); unsigned char u = 'z'; u -= 'a' - 'A'; printf("%c %d\n", u, (char)('a' + 100)); return 0; }
