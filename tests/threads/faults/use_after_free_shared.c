// use_after_free
#include <pthread.h>
#include <stdlib.h>
static int *p;
static void *work(void *u) { *p = 1; free(p); return u; }
int main(void) { pthread_t t; p = malloc(8); pthread_create(&t, 0, work, 0); pthread_join(t, 0); return *p; }
