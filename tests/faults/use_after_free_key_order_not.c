// norn: verified executions=2
// The same with memory for each; both orders are looked at.
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t owner, user;
static int cell;

static void end(void *value) { free(value); }

static void use(void *value) { *(int *)value = 2; }

static void *work(void *unused) {
    int *value = malloc(sizeof *value);
    pthread_setspecific(user, unused);
    pthread_setspecific(owner, value);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_key_create(&owner, end);
    pthread_key_create(&user, use);
    pthread_create(&thread, NULL, work, &cell);
    pthread_join(thread, NULL);
    return 0;
}
