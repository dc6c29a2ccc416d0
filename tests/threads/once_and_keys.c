#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static int inits, destroyed;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void gone(void *value)
{
	pthread_mutex_lock(&lock);
	destroyed += *(int *)value;
	pthread_mutex_unlock(&lock);
	free(value);
}

static void init(void)
{
	inits++;
	pthread_key_create(&key, gone);
}

static void *work(void *argument)
{
	pthread_once(&once, init);
	int *value = malloc(sizeof *value);
	*value = (int)(long)argument;
	pthread_setspecific(key, value);
	pthread_once(&once, init);
	return pthread_getspecific(key) == value ? argument : 0;
}

int main(void)
{
	pthread_t t[3];
	long sum = 0;
	for (long i = 0; i < 3; i++)
		pthread_create(&t[i], 0, work, (void *)(i + 1));
	for (int i = 0; i < 3; i++) {
		void *result;
		pthread_join(t[i], &result);
		sum += (long)result;
	}
	printf("%d %d %ld %p\n", inits, destroyed, sum, pthread_getspecific(key));
	return 0;
}
