// invalid_sync
#include <pthread.h>
static pthread_barrier_t b;
int main(void) { pthread_barrier_wait(&b); }
