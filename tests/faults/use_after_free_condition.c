// norn: violation use_after_free line=17
// Who was woken looks at an element that may be gone.
#include <pthread.h>
#include <stdlib.h>

struct element {
    pthread_cond_t idle;
    int busy;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct element *list;

static void *work(void *unused) {
    pthread_mutex_lock(&mutex);
    struct element *element = list;
    while (element != NULL && element->busy)
        pthread_cond_wait(&element->idle, &mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    struct element *element = malloc(sizeof *element);
    pthread_cond_init(&element->idle, NULL);
    element->busy = 1;
    list = element;
    pthread_create(&thread, NULL, work, NULL);
    pthread_mutex_lock(&mutex);
    list = NULL;
    element->busy = 0;
    pthread_cond_broadcast(&element->idle);
    pthread_mutex_unlock(&mutex);
    pthread_cond_destroy(&element->idle);
    free(element);
    pthread_join(thread, NULL);
    return 0;
}
