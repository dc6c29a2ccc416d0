#include <stdio.h>
#define name(x) _Generic((x), int: "int", long: "long", double: "double", char *: "string", default: "other")
int main(void) { printf("%s %s %s %s %s\n", name(1), name(1L), name(1.0), name("s"), name('c' == 'c' ? (short)1 : (short)2)); _Static_assert(sizeof(int) == 4, "int"); return 0; }
