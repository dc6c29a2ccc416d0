// One program in three files: see one.c and two.cpp.
#include <stdio.h>
int from_one(int x);
int from_two(int x);
extern int shared, common_like;
extern const char *names[];
static int hidden(void) { return 1; }
__attribute__((weak)) int replaced(void) { return 1; }
extern _Thread_local int per_thread;
int main(void) {
    per_thread += 2;
    printf("%d %d %d %d\n", from_one(1), from_two(2), hidden(), replaced());
    printf("%d %d %s %d\n", shared, common_like, names[1], per_thread);
    return shared;
}
