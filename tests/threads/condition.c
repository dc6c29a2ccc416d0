#include <pthread.h>
#include <stdio.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int count; atomic_int ready; int turn;
struct node { int v; struct node *next; } *head;
void *worker(void *arg) {
  long id = (long)arg;
  for (int i = 0; i < 3; i++) {
    pthread_mutex_lock(&m);
    while (turn != id) pthread_cond_wait(&c, &m);
    struct node *n = malloc(sizeof *n);
    n->v = id * 10 + i; n->next = head; head = n; count++;
    turn = (turn + 1) % 3;
    pthread_cond_broadcast(&c);
    pthread_mutex_unlock(&m);
  }
  atomic_fetch_add(&ready, 1);
  return (void *)(id * 2);
}
int cmp(const void *a, const void *b) { return *(int *)a - *(int *)b; }
int main(void) {
  pthread_t t[3];
  for (long i = 0; i < 3; i++) pthread_create(&t[i], NULL, worker, (void *)i);
  long sum = 0;
  for (int i = 0; i < 3; i++) { void *r; pthread_join(t[i], &r); sum += (long)r; }
  printf("count %d ready %d sum %ld\n", count, ready, sum);
  for (struct node *n = head; n; ) { printf("%d ", n->v); struct node *x = n; n = n->next; free(x); }
  int a[] = {5, 3, 9, 1}; qsort(a, 4, sizeof *a, cmp);
  printf("\n%d %d %d %d %5.2f %s\n", a[0], a[1], a[2], a[3], 3.14159, "end");
  return 3;
}
