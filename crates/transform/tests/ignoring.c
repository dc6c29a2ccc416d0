#include <pthread.h>
#include <stdatomic.h>

atomic_int x;
void *kept;

void *ignores(void *argument) { // ignoring
    (void)argument;
    x++;
    return 0;
}

void *computes(void *argument) { // ignoring
    long next = (long)argument + 1;
    if (x)
        next++;
    (void)next;
    return 0;
}

void *overwrites(void *argument) { // ignoring
    argument = &x;
    return argument;
}

void *returns(void *argument) {
    return argument;
}

void *returns_sometimes(void *argument) {
    if (x)
        argument = 0;
    return argument;
}

void *stores(void *argument) {
    kept = argument;
    return 0;
}

void *branches(void *argument) {
    if (argument)
        x++;
    return 0;
}

void *divides(void *argument) {
    int unseen = 7 / (int)(long)argument;
    (void)unseen;
    return 0;
}

void *counts(void *argument) {
    for (long i = (long)argument; i < 3; i++)
        x++;
    return 0;
}

void *passes_on(void *argument) {
    return stores(argument);
}

void *keeps_in_memory(void *argument) {
    void *volatile copy = argument;
    (void)copy;
    return 0;
}

int two(int first, int second) {
    return second;
}

int main(void) {
    pthread_t thread;
    void *(*all[])(void *) = {ignores, computes, overwrites, returns,   returns_sometimes, stores,
                              branches, divides, counts,     passes_on, keeps_in_memory};
    for (int i = 0; i < 11; i++)
        pthread_create(&thread, 0, all[i], 0);
    return two(0, 0);
}
