// Objects that reach other threads in many ways: inside structures, by copies, with tags.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item { int value; struct item *next; char name[12]; };
struct box { struct item *items[3]; int count; };
static struct box shared;
static _Atomic uintptr_t tagged;
static atomic_int stage;
static struct item *slot;

static void *receive(void *argument)
{
	struct box *own = argument;
	int sum = 0;
	for (int i = 0; i < own->count; i++)
		for (struct item *p = own->items[i]; p; p = p->next)
			sum += p->value;
	printf("sum %d %s\n", sum, own->items[2]->name);
	while (atomic_load(&stage) != 1)
		;
	printf("shared %d %s\n", shared.items[1]->next->value, shared.items[0]->name);
	struct item *p = (struct item *)(atomic_load(&tagged) & ~(uintptr_t)3);
	printf("tagged %d\n", p->value);
	struct item *mine = malloc(sizeof *mine);
	memset(mine, 0, sizeof *mine);
	mine->value = 99;
	strcpy(mine->name, "mine");
	slot = mine;
	atomic_store(&stage, 2);
	return mine;
}

static struct item *make(int value, struct item *next)
{
	struct item *item = calloc(1, sizeof *item);
	item->value = value;
	item->next = next;
	snprintf(item->name, sizeof item->name, "item %d", value);
	return item;
}

int main(void)
{
	pthread_t t;
	struct box local = {{make(1, make(2, 0)), make(3, make(4, 0)), make(5, 0)}, 3};
	pthread_create(&t, 0, receive, &local);
	struct box copy = {{make(10, 0), make(20, make(30, 0)), make(40, 0)}, 3};
	shared = copy;
	atomic_store(&tagged, (uintptr_t)make(77, 0) | 3);
	atomic_store(&stage, 1);
	while (atomic_load(&stage) != 2)
		;
	printf("slot %d %s\n", slot->value, slot->name);
	void *result;
	pthread_join(t, &result);
	printf("same %d\n", result == slot);
	free(result);
	return 0;
}
