// norn: violation assertion line=11
// What main gives to pthread_exit goes to the thread that joins it.
#include <assert.h>
#include <pthread.h>

static pthread_t main_thread;

static void *work(void *unused) {
    void *result;
    pthread_join(main_thread, &result);
    assert(result == (void *)2L);
    return unused;
}

int main(void) {
    pthread_t thread;
    main_thread = pthread_self();
    pthread_create(&thread, NULL, work, NULL);
    pthread_exit((void *)3L);
}
