// The main thread ends by pthread_exit; the process goes on until the last thread ends.
#include <pthread.h>
#include <stdio.h>

static pthread_t first;

static void *work(void *argument)
{
	pthread_join(first, 0);
	printf("after main %s\n", (char *)argument);
	return 0;
}

__attribute__((constructor)) static void before(void) { printf("constructor\n"); }

int main(int argc, char **argv)
{
	pthread_t t;
	first = pthread_self();
	pthread_create(&t, 0, work, "still here");
	printf("main %d\n", argc);
	pthread_exit(0);
}
