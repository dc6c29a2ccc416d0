// norn: violation use_after_free line=10
// Two thread-specific values are the same memory; the destructors may be called in either order.
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t owner, user;

static void end(void *value) { free(value); }

static void use(void *value) { *(int *)value = 2; }

static void *work(void *unused) {
    int *value = malloc(sizeof *value);
    pthread_setspecific(user, value);
    pthread_setspecific(owner, value);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_key_create(&owner, end);
    pthread_key_create(&user, use);
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}
