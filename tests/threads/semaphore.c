#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t empty, full;
static int slot;

static void *producer(void *unused)
{
	for (int i = 1; i <= 5; i++) {
		sem_wait(&empty);
		slot = i * i;
		sem_post(&full);
	}
	return unused;
}

int main(void)
{
	pthread_t t;
	int value;
	sem_init(&empty, 0, 1);
	sem_init(&full, 0, 0);
	pthread_create(&t, 0, producer, 0);
	for (int i = 0; i < 5; i++) {
		sem_wait(&full);
		printf("%d\n", slot);
		sem_post(&empty);
	}
	pthread_join(t, 0);
	sem_getvalue(&empty, &value);
	printf("value %d\n", value);
	int result = sem_trywait(&full);
	printf("%d %d\n", result, errno == EAGAIN);
	sem_destroy(&empty);
	sem_destroy(&full);
	return 0;
}
