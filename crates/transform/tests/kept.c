// Loops that keep what they see in memory that only their thread uses. The remark says which of 0 to 3 it may see
// in the first iteration.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;
static _Thread_local int kept, other;

static void look(int *seen) {
    *seen = atomic_load(&x); // sees 3
}

static void *through_a_pointer(void *unused) {
    int seen = -1;
    do
        look(&seen);
    while (seen != 3);
    return NULL;
}

static void *thread_local_one(void *unused) {
    kept = 1;
    do
        kept = atomic_load(&x); // sees 3
    while (kept != 3);
    return NULL;
}

static void *looks_before(void *unused) {
    kept = other = 1;
    do {
        other = kept;
        kept = atomic_load(&x); // sees 0 2 3
    } while (kept != 3);
    return NULL;
}

static void *looks_behind_the_read(void *unused) {
    kept = other = 1;
    int value;
    do {
        value = atomic_load(&x); // sees 0 2 3
        other = kept;
        kept = value;
    } while (value != 3);
    return NULL;
}

static void *keeps_some(void *unused) {
    kept = 1;
    int value;
    do {
        value = atomic_load(&x); // sees 0 1 3
        if (value != 2)
            kept = value;
    } while (value != 3);
    return NULL;
}

static void *keeps_what_was_there(void *unused) {
    kept = 2;
    int value;
    do {
        value = atomic_load(&x); // sees 0 1 3
        if (value == 2)
            kept = value;
        else if (value != 3)
            other++;
    } while (value != 3);
    return NULL;
}

static void *first_use_of_a_thread_local(void *unused) {
    do
        kept = atomic_load(&x); // sees 3
    while (kept != 3);
    return NULL;
}

static void *first_use_that_is_looked_at(void *unused) {
    int value;
    do {
        value = atomic_load(&x); // sees 1 2 3
        if (kept != value)
            kept = value;
    } while (value != 3);
    return NULL;
}

int main(void) {
    static void *(*const all[])(void *) = {
        through_a_pointer, thread_local_one, looks_before,
        looks_behind_the_read, keeps_some, keeps_what_was_there,
        first_use_of_a_thread_local, first_use_that_is_looked_at,
    };
    pthread_t threads[8];
    for (int i = 0; i < 8; i++)
        pthread_create(&threads[i], NULL, all[i], NULL);
    return 0;
}
