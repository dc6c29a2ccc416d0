// norn: violation invalid_sync line=15
// The attributes of a thread are used after they were destroyed.
#include <pthread.h>

static pthread_attr_t attributes;

static void *work(void *unused) {
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_destroy(&attributes);
    pthread_create(&thread, &attributes, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}
