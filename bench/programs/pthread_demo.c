// Two threads increment a counter N times each, under a lock.
//
// As many executions as ways to merge two sequences of N critical sections: C(2N, N).
//
// norn: model=ra N=8 executions=12870
// norn: model=ra N=9 executions=48620 slow
// norn: model=ra N=10 executions=184756 slow paper=184756 source="RCMC in TRACER's Table 3"
// norn: model=ra algorithm=rf N=8 executions=12870
// norn: model=ra algorithm=rf N=9 executions=48620 slow
// norn: model=ra algorithm=rf N=10 executions=184756 slow paper=184756 source="TRACER, Table 3"
#include <pthread.h>

#ifndef N
#define N 10
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *increment(void *unused) {
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&lock);
        int seen = counter;
        counter = seen + 1;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, increment, NULL);
    increment(NULL);
    pthread_join(thread, NULL);
    return 0;
}
