// assertion
#include <assert.h>
#include <pthread.h>
static int x;
static void *work(void *p) { x = 1; return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); pthread_join(t, 0); assert(x == 2); }
