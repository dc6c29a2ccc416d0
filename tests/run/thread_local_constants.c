// What compilers fold that is made of the address of a thread-local variable.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct pair {
    int *pointer;
    long number;
};

static _Thread_local int word = 3;
static _Thread_local char bytes[64];
static pthread_key_t key;

static uintptr_t shifted(void) { return (uintptr_t)&word >> 4; }
static unsigned low(void) { return (unsigned)(uintptr_t)&bytes[1]; }
static int aligned(void) { return ((uintptr_t)&word & 3) == 0; }
static struct pair both(void) { return (struct pair){&word, 4}; }

static void *run(void *unused) {
    (void)unused;
    *both().pointer += 1;
    pthread_setspecific(key, malloc(4));
    assert(word == 4 && (uintptr_t)&word >> 4 == shifted());
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_key_create(&key, free);
    pthread_create(&thread, NULL, run, NULL);
    pthread_join(thread, NULL);
    int *volatile other = (int *)&bytes[8];
    assert(low() == (unsigned)(uintptr_t)&bytes[1] && &word != other);
    printf("%d %d %ld\n", word, aligned(), both().number);
    return 0;
}
