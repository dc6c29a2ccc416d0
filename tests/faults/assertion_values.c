// norn: violation assertion line=70
// Values are written as their types have them, and no two objects have the same name.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

enum colour { RED, GREEN = 5 };

static atomic_uint whole;
static atomic_int small;
static _Atomic double half;
static atomic_bool flag;
static _Atomic char letter;
static _Atomic enum colour colour;
static int cells[4];
static _Atomic(int *) cursor;
static atomic_uintptr_t tagged;
static _Atomic(atomic_int *) first, second;
static sem_t slots;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void values(void) {
    whole = 4294967295u;
    small = -2000000;
    half = 2.25;
    flag = true;
    letter = 'y';
    colour = GREEN;
    cursor = cells + 4;
    cursor = 0;
    tagged = (uintptr_t)&cells[2] | 1;
}

static void *worker(void *unused) {
    values();
    sem_post(&slots);
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_wrlock(&lock);
    pthread_rwlock_unlock(&lock);
    atomic_int *one = malloc(sizeof *one), *two = malloc(sizeof *two);
    first = one;
    second = two;
    *first = 1;
    *second = 2;
    free(one);
    free(two);
    atomic_int x = 1;
    {
        atomic_int x = 2;
        first = &x;
        x = 3;
    }
    second = &x;
    x = 4;
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&slots, 0, 1);
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, NULL);
    bool is_right = whole == 4294967295u && small == -2000000 && half == 2.25 && flag;
    is_right = is_right && letter == 'y' && colour == GREEN && !cursor && tagged;
    assert(is_right && colour == RED);
    return 0;
}
