#include <stdio.h>
int main(void) {
    unsigned char a = 200, b = 100; printf("%d\n", a + b); unsigned char c = a + b; printf("%d\n", c);
    short s = 30000; printf("%d\n", s * 2); short t = (short)(s * 2); printf("%d\n", t);
    printf("%d\n", -1 < 1u); printf("%d\n", -1 < (long)1u); printf("%d\n", (unsigned char)-1 == 255);
    printf("%lu\n", sizeof(a + b)); printf("%d\n", ~a); char ch = 'a'; ch += 1; printf("%c\n", ch);
    return 0;
}
