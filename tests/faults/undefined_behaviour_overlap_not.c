// norn: verified executions=1
// The near twin, without the fault.
#include <string.h>

int main(void) {
    char text[8] = "abcdef";
    memmove(text + 1, text, 4);
    return text[0] != 'a';
}
