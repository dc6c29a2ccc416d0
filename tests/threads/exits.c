#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_key_t key;

static void destructor(void *value) { printf("destructor %s\n", (char *)value); }
static void last(void) { printf("last\n"); }
static void first(void) { printf("first\n"); }

static void deep(int n)
{
	volatile int local = n;
	if (n == 0)
		pthread_exit((void *)42L);
	deep(local - 1);
	printf("not reached\n");
}

static void *work(void *argument)
{
	pthread_setspecific(key, argument);
	deep(5);
	return 0;
}

__attribute__((constructor)) static void before(void) { printf("before main\n"); }

int main(int argc, char **argv)
{
	pthread_t t;
	void *result;
	atexit(last);
	atexit(first);
	pthread_key_create(&key, destructor);
	pthread_create(&t, 0, work, "value");
	pthread_join(t, &result);
	printf("%ld %d %d\n", (long)result, argc, argv[argc] == 0);
	exit(7);
}
