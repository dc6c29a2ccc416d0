// norn: violation data_race line=14
// Eight bytes are written at once while another thread writes four of them.
#include <pthread.h>

struct pair { int a, b; };
static union { struct pair pair; long whole; } shared;

static void *first(void *unused) {
    shared.whole = 1;
    return unused;
}

static void *second(void *unused) {
    shared.pair.b = 1;
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
