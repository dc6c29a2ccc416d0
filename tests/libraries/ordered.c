// Two threads store to a register of their own and load that of the other.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct reg {
    atomic_int value;
};

void store(struct reg *r, int value);
int load(struct reg *r);

static struct reg x, y;
static int one, two;

static void *first(void *unused) {
    store(&x, 1);
    one = load(&y);
    return NULL;
}

static void *second(void *unused) {
    store(&y, 1);
    two = load(&x);
    return NULL;
}

int main(void) {
    pthread_t thread[2];
    pthread_create(&thread[0], NULL, first, NULL);
    pthread_create(&thread[1], NULL, second, NULL);
    pthread_join(thread[0], NULL);
    pthread_join(thread[1], NULL);
    assert(one || two);
    return 0;
}
