// norn: verified executions=3
//
// Publication as in read-copy-update: the writer fills a new version and then makes it the current
// one with release; readers that see the pointer see the fields.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

struct config {
    int width, height;
};

static struct config initial = {1, 1};
static _Atomic(struct config *) current = &initial;

static void *updater(void *unused) {
    (void)unused;
    struct config *fresh = malloc(sizeof *fresh);
    fresh->width = 2;
    fresh->height = 2;
    atomic_store_explicit(&current, fresh, memory_order_release);
    return NULL;
}

static void *reader(void *unused) {
    (void)unused;
    struct config *seen = atomic_load_explicit(&current, memory_order_acquire);
    assert(seen->width == seen->height);
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, updater, NULL);
    pthread_create(&threads[1], NULL, reader, NULL);
    pthread_create(&threads[2], NULL, reader, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    free(atomic_load_explicit(&current, memory_order_relaxed));
    return 0;
}
