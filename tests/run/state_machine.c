#include <stdio.h>
enum st { START, IN, ESC, END }; static int parse(const char *s, char *o) { enum st st = START; for (;; s++) switch (st) { case START: if (*s == '"') st = IN; else if (!*s) return -1; break; case IN: if (*s == '\\') st = ESC; else if (*s == '"') st = END; else if (!*s) return -2; else *o++ = *s; break; case ESC: *o++ = *s == 'n' ? '\n' : *s; st = IN; break; case END: *o = 0; return *s; } }
int main(void) { char b[32]; int r = parse("x \"a\\nb\\\"c\"!", b); printf("%d %s\n", r, b); printf("%d %d\n", parse("none", b), parse("\"open", b)); return 0; }
