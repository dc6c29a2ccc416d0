// norn: violation undefined_behaviour line=7
// memcpy between places that overlap.
#include <string.h>

int main(void) {
    char text[8] = "abcdef";
    memcpy(text + 1, text, 4);
    return text[0] != 'a';
}
