// norn: verified executions=1
#include <pthread.h>

static void *worker(void *number) {
    int *volatile result = number;
    *result = 1;
    return result;
}

int main(void) {
    pthread_t thread;
    void *result;
    int number = 0;
    pthread_create(&thread, NULL, worker, &number);
    pthread_join(thread, &result);
    return *(int *)result - 1;
}
