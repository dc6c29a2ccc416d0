// The wait is always signalled in time here, because the signal is given first.
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int ready;

static void *work(void *unused)
{
	pthread_mutex_lock(&lock);
	ready = 1;
	pthread_cond_signal(&cond);
	pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	pthread_t t;
	struct timespec limit;
	clock_gettime(CLOCK_REALTIME, &limit);
	limit.tv_sec += 100;
	pthread_mutex_lock(&lock);
	pthread_create(&t, 0, work, 0);
	int result = 0;
	while (!ready && result == 0)
		result = pthread_cond_timedwait(&cond, &lock, &limit);
	printf("%d %d\n", ready, result);
	pthread_mutex_unlock(&lock);
	pthread_join(t, 0);
	return pthread_cond_destroy(&cond);
}
