// N threads that lock and unlock one mutex.
//
// norn: model=rc11 N=6 executions=720
// norn: model=rc11 N=7 executions=5040
// norn: model=rc11 N=8 executions=40320 slow
// norn: model=rc11 algorithm=rf N=6 executions=720
// norn: model=rc11 algorithm=rf N=7 executions=5040
#include <pthread.h>

#ifndef N
#define N 6
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *enter(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t thread[N];
    for (int i = 0; i < N; i++)
        pthread_create(&thread[i], NULL, enter, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
