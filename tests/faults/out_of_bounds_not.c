// norn: verified executions=1
// The near twin of out_of_bounds.c that has nothing wrong.
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
    int index = 1;
    pthread_create(&a, NULL, first, &index);
    pthread_join(a, NULL);
    return 0;
}
