#include <pthread.h>
#include <stdio.h>

#define THREADS 3
static pthread_barrier_t barrier;
static int cells[THREADS], sums[THREADS];
static int serial;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *argument)
{
	int me = *(int *)argument;
	for (int round = 0; round < 3; round++) {
		cells[me] = me + round;
		if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
			pthread_mutex_lock(&lock);
			serial++;
			pthread_mutex_unlock(&lock);
		}
		for (int i = 0; i < THREADS; i++)
			sums[me] += cells[i];
		pthread_barrier_wait(&barrier);
	}
	return 0;
}

int main(void)
{
	pthread_t t[THREADS];
	int ids[THREADS];
	pthread_barrier_init(&barrier, 0, THREADS);
	for (int i = 0; i < THREADS; i++) {
		ids[i] = i;
		pthread_create(&t[i], 0, work, &ids[i]);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], 0);
	for (int i = 0; i < THREADS; i++)
		printf("%d\n", sums[i]);
	printf("serial %d\n", serial);
	pthread_barrier_destroy(&barrier);
	return 0;
}
