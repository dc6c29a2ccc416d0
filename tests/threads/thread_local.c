#include <pthread.h>
#include <stdio.h>

static _Thread_local int counter = 10;
static _Thread_local int *self;
static _Thread_local char buffer[16];
static int *exported[3];

static void *work(void *argument)
{
	int me = (int)(long)argument;
	for (int i = 0; i <= me; i++)
		counter++;
	self = &counter;
	snprintf(buffer, sizeof buffer, "T%d:%d", me, *self);
	exported[me] = self;
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	pthread_mutex_lock(&lock);
	*exported[me] += 100;
	pthread_mutex_unlock(&lock);
	return (void *)(long)(counter + buffer[1]);
}

int main(void)
{
	pthread_t t[3];
	for (long i = 0; i < 3; i++)
		pthread_create(&t[i], 0, work, (void *)i);
	for (int i = 0; i < 3; i++) {
		void *result;
		pthread_join(t[i], &result);
		printf("%ld\n", (long)result);
	}
	printf("%d %d\n", counter, self == 0);
	return 0;
}
