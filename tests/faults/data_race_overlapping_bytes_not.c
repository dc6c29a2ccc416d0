// norn: verified executions=1
// A number is written beside the byte that another thread writes.
#include <pthread.h>
#include <string.h>

static unsigned char bytes[8];

static void *first(void *unused) {
    unsigned number = 1;
    memcpy(bytes, &number, sizeof number);
    return unused;
}

static void *second(void *unused) {
    bytes[4] = 1;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
