// norn: violation out_of_bounds line=12
// A store behind the end of an array.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static int cells[2];

static void *first(void *index) {
    cells[*(int *)index] = 1;
    return NULL;
}

int main(void) {
    pthread_t a;
    int index = 2;
    pthread_create(&a, NULL, first, &index);
    pthread_join(a, NULL);
    return 0;
}
