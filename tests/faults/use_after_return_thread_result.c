// norn: violation use_after_return line=16
#include <pthread.h>

static void *worker(void *unused) {
    int number = 1;
    int *volatile result = &number;
    return result;
}

int main(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, &result);
    // The local variable that it points to ended with its thread.
    return *(int *)result - 1;
}
