// One thread pushes N values onto a bounded stack, another tries to pop N times; a lock protects it.
//
// As many executions as ways to merge two sequences of N critical sections: C(2N, N).
//
// norn: model=ra N=7 executions=3432
// norn: model=ra N=8 executions=12870 slow
// norn: model=ra N=10 executions=184756 slow
// norn: model=ra algorithm=rf N=7 executions=3432
// norn: model=ra algorithm=rf N=8 executions=12870 slow
// norn: model=ra algorithm=rf N=10 executions=184756 slow
// norn: model=ra algorithm=rf N=12 executions=2704156 slow paper=2704156 source="TRACER, Table 3"
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 10
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int stack[N];
static int top;

static void *push_all(void *unused) {
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&lock);
        assert(top < N);
        stack[top] = i;
        top = top + 1;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

static void *pop_all(void *unused) {
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&lock);
        if (top > 0) {
            top = top - 1;
            assert(stack[top] >= 0);
        }
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void) {
    pthread_t pusher, popper;
    pthread_create(&pusher, NULL, push_all, NULL);
    pthread_create(&popper, NULL, pop_all, NULL);
    pthread_join(pusher, NULL);
    pthread_join(popper, NULL);
    return 0;
}
