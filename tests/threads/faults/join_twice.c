// invalid_join
#include <pthread.h>
static void *work(void *p) { return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); pthread_join(t, 0); pthread_join(t, 0); }
