#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

struct node { int value; struct node *next; };
static _Atomic(struct node *) top;
static atomic_long popped;

static void push(int value)
{
	struct node *node = malloc(sizeof *node);
	node->value = value;
	node->next = atomic_load_explicit(&top, memory_order_relaxed);
	while (!atomic_compare_exchange_weak_explicit(&top, &node->next, node, memory_order_release,
						      memory_order_relaxed))
		;
}

static int pop(void)
{
	struct node *node = atomic_load_explicit(&top, memory_order_acquire);
	while (node && !atomic_compare_exchange_weak_explicit(&top, &node, node->next,
							      memory_order_acquire, memory_order_acquire))
		;
	return node ? node->value : 0;
}

static void *work(void *argument)
{
	long base = (long)argument;
	for (int i = 1; i <= 10; i++)
		push((int)base + i);
	for (int i = 0; i < 9; i++)
		atomic_fetch_add(&popped, pop());
	return 0;
}

int main(void)
{
	pthread_t t[3];
	for (long i = 0; i < 3; i++)
		pthread_create(&t[i], 0, work, (void *)(100 * i));
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], 0);
	long rest = 0;
	for (int i = 0; i < 3; i++)
		rest += pop();
	printf("%ld %d\n", popped + rest, top == 0);
	return 0;
}
