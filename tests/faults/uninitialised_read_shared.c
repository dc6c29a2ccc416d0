// norn: violation uninitialised_read line=27
// A member that was never written is copied by another thread, and used.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct pair { int a, b; };
static struct pair *source, *target;

static void *first(void *unused) {
    target->a = source->a;
    target->b = source->b;
    return unused;
}

int main(void) {
    pthread_t a;
    source = malloc(sizeof *source);
    target = malloc(sizeof *target);
    source->a = 1;
    pthread_create(&a, NULL, first, NULL);
    pthread_join(a, NULL);
    int result = target->b == 2;
    free(source);
    free(target);
    return result;
}
