// A bounded queue of SLOTS slots for several producers and consumers: two halves of a word count what was reserved for reading
// and for writing, and who is done says so in the order of the reservations. PRODUCERS threads put in one element, CONSUMERS
// threads take one out, BOTH threads do one after the other.
//
// norn: model=sc executions=578 blocked=456
// norn: model=sc algorithm=await executions=578 blocked=456
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef PRODUCERS
#define PRODUCERS 1
#endif
#ifndef CONSUMERS
#define CONSUMERS 1
#endif
#ifndef BOTH
#define BOTH 1
#endif
#define SLOTS 2
#define THREADS (PRODUCERS + CONSUMERS + BOTH)

static atomic_uint reserved; // high half: read, low half: written
static atomic_ushort done_reading, done_writing;
static int slots[SLOTS];

static int produce(int value) {
    unsigned seen = atomic_load(&reserved);
    for (;;) {
        unsigned short read = seen >> 16, written = seen;
        if ((unsigned short)(written - read) == SLOTS) {
            unsigned now = atomic_load(&reserved);
            if (now == seen)
                return 0;
            seen = now;
            continue;
        }
        if (atomic_compare_exchange_strong(&reserved, &seen, (unsigned)read << 16 | (unsigned short)(written + 1)))
            break;
    }
    unsigned short mine = seen;
    while ((unsigned short)(mine - atomic_load(&done_reading)) >= SLOTS)
        ;
    slots[mine % SLOTS] = value;
    while (atomic_load(&done_writing) != mine)
        ;
    atomic_fetch_add(&done_writing, 1);
    return 1;
}

static int consume(void) {
    unsigned seen = atomic_load(&reserved);
    for (;;) {
        unsigned short read = seen >> 16, written = seen;
        if (read == written) {
            unsigned now = atomic_load(&reserved);
            if (now == seen)
                return 0;
            seen = now;
            continue;
        }
        if (atomic_compare_exchange_strong(&reserved, &seen, (unsigned)(unsigned short)(read + 1) << 16 | written))
            break;
    }
    unsigned short mine = seen >> 16;
    while ((short)(atomic_load(&done_writing) - mine) <= 0)
        ;
    int value = slots[mine % SLOTS];
    while (atomic_load(&done_reading) != mine)
        ;
    atomic_fetch_add(&done_reading, 1);
    return value;
}

static void *producer(void *value) {
    produce((int)(long)value);
    return 0;
}

static void *consumer(void *unused) {
    consume();
    return 0;
}

static void *both(void *value) {
    int put = produce((int)(long)value);
    int got = consume();
    assert(got || CONSUMERS || !put);
    return 0;
}

int main(void) {
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++) {
        void *(*work)(void *) = i < PRODUCERS ? producer : i < PRODUCERS + CONSUMERS ? consumer : both;
        pthread_create(&threads[i], 0, work, (void *)(i + 1));
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    return 0;
}
