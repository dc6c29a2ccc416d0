// norn: violation data_race line=15
// A number is written where another thread writes its last byte.
#include <pthread.h>
#include <string.h>

static unsigned char bytes[8];

static void *first(void *unused) {
    unsigned number = 1;
    memcpy(bytes, &number, sizeof number);
    return unused;
}

static void *second(void *unused) {
    bytes[3] = 1;
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
