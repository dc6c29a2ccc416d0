#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER, recursive, checking;
static int shared;

static void *other(void *unused)
{
	struct timespec soon = {0, 0};
	printf("trylock %d\n", pthread_mutex_trylock(&plain) == EBUSY);
	printf("timedlock %d\n", pthread_mutex_timedlock(&plain, &soon) == ETIMEDOUT);
	printf("unlock %d\n", pthread_mutex_unlock(&checking) == EPERM);
	printf("recursive %d\n", pthread_mutex_trylock(&recursive) == EBUSY);
	return unused;
}

int main(void)
{
	pthread_mutexattr_t attributes;
	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&recursive, &attributes);
	pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
	pthread_mutex_init(&checking, &attributes);
	pthread_mutexattr_destroy(&attributes);

	pthread_mutex_lock(&plain);
	pthread_mutex_lock(&recursive);
	pthread_mutex_lock(&recursive);
	pthread_mutex_lock(&checking);
	printf("again %d\n", pthread_mutex_lock(&checking) == EDEADLK);
	pthread_t t;
	pthread_create(&t, 0, other, 0);
	pthread_join(t, 0);
	printf("unlock %d\n", pthread_mutex_unlock(&recursive));
	printf("unlock %d\n", pthread_mutex_unlock(&recursive));
	pthread_mutex_unlock(&checking);
	pthread_mutex_unlock(&plain);
	printf("destroy %d %d\n", pthread_mutex_destroy(&recursive), pthread_mutex_destroy(&plain));

	pthread_spinlock_t spin;
	pthread_spin_init(&spin, 0);
	pthread_spin_lock(&spin);
	printf("spin %d\n", pthread_spin_trylock(&spin) == EBUSY);
	pthread_spin_unlock(&spin);
	return shared;
}
