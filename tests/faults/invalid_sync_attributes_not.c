// norn: verified executions=1
// The attributes of a thread may be destroyed when it was started.
#include <pthread.h>

static pthread_attr_t attributes;

static void *work(void *unused) {
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_create(&thread, &attributes, work, NULL);
    pthread_attr_destroy(&attributes);
    pthread_join(thread, NULL);
    return 0;
}
