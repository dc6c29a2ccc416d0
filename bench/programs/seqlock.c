// A sequence lock: WRITERS threads make the number odd, write two values, and make it even again; READERS threads read
// the values between two looks at the same even number, and try again otherwise.
//
// norn: model=sc executions=6 blocked=56 stale=7
// norn: model=sc algorithm=await executions=6 blocked=56
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef WRITERS
#define WRITERS 2
#endif
#ifndef READERS
#define READERS 1
#endif

static atomic_int number, first, second;

static void *writer(void *value) {
    for (;;) {
        int before = atomic_load(&number);
        if (before % 2 == 0 && atomic_compare_exchange_strong(&number, &before, before + 1))
            break;
    }
    atomic_store(&first, (int)(long)value);
    atomic_store(&second, (int)(long)value);
    atomic_fetch_add(&number, 1);
    return NULL;
}

static void *reader(void *unused) {
    for (;;) {
        int before = atomic_load(&number);
        if (before % 2)
            continue;
        int one = atomic_load(&first), two = atomic_load(&second);
        if (atomic_load(&number) == before) {
            assert(one == two);
            return NULL;
        }
    }
}

int main(void) {
    pthread_t threads[WRITERS + READERS];
    for (long i = 0; i < WRITERS + READERS; i++)
        pthread_create(&threads[i], NULL, i < WRITERS ? writer : reader, (void *)(i + 1));
    for (int i = 0; i < WRITERS + READERS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
