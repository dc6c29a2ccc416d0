#include <stdio.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static int n; static void *work(void *a) { pthread_mutex_lock(&m); n += *(int *)a; pthread_mutex_unlock(&m); return (void *)(long)n; }
int main(void) { int v = 5; pthread_t t; void *r; pthread_create(&t, 0, work, &v); pthread_join(t, &r); printf("%d %ld\n", n, (long)r); pthread_mutex_lock(&m); n++; pthread_mutex_unlock(&m); return n; }
