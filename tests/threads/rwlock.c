#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int a, b;

static void *writer(void *unused)
{
	for (int i = 0; i < 5; i++) {
		pthread_rwlock_wrlock(&lock);
		a++;
		b++;
		pthread_rwlock_unlock(&lock);
	}
	return unused;
}

static void *reader(void *unused)
{
	for (int i = 0; i < 5; i++) {
		pthread_rwlock_rdlock(&lock);
		assert(a == b);
		pthread_rwlock_unlock(&lock);
	}
	return unused;
}

int main(void)
{
	pthread_t t[4];
	pthread_create(&t[0], 0, writer, 0);
	pthread_create(&t[1], 0, reader, 0);
	pthread_create(&t[2], 0, writer, 0);
	pthread_create(&t[3], 0, reader, 0);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], 0);
	printf("%d %d\n", a, b);
	printf("%d\n", pthread_rwlock_rdlock(&lock));
	printf("%d\n", pthread_rwlock_tryrdlock(&lock));
	printf("%d\n", pthread_rwlock_trywrlock(&lock));
	pthread_rwlock_unlock(&lock);
	pthread_rwlock_unlock(&lock);
	printf("%d\n", pthread_rwlock_trywrlock(&lock));
	pthread_rwlock_unlock(&lock);
	printf("%d\n", pthread_rwlock_destroy(&lock));
	return 0;
}
