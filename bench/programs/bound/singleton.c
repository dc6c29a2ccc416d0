// An object that is made by whoever comes first, without a lock: one thread overwrites the letter
// that another has put in.
//
// After `singleton` of SV-COMP.
//
// norn: model=sc kind=assertion bound=0
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static char *object;

static void *make(void *unused) {
    object = malloc(1);
    *object = 0;
    return NULL;
}

static void *put_x(void *unused) {
    *object = 'X';
    return NULL;
}

static void *put_y(void *unused) {
    *object = 'Y';
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, make, NULL);
    pthread_join(threads[0], NULL);
    pthread_create(&threads[1], NULL, put_x, NULL);
    pthread_create(&threads[2], NULL, put_y, NULL);
    pthread_join(threads[1], NULL);
    pthread_join(threads[2], NULL);
    assert(*object == 'X');
    free(object);
    return 0;
}
