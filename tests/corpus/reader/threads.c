#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
struct node { int value; struct node *next; };
static struct { struct node *head; int count; } queue;
static void *producer(void *arg) {
    struct node *n = malloc(sizeof *n);
    n->value = (int)(long)arg;
    pthread_mutex_lock(&m);
    n->next = queue.head;
    queue.head = n;
    queue.count++;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return n;
}
int main(void) {
    pthread_t t[3];
    for (long i = 0; i < 3; i++) pthread_create(&t[i], 0, producer, (void *)i);
    pthread_mutex_lock(&m);
    while (queue.count < 3) pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    for (int i = 0; i < 3; i++) { void *r; pthread_join(t[i], &r); assert(((struct node *)r)->value < 3); free(r); }
}
