#include <stdatomic.h>
#include <stdio.h>
#include <threads.h>

static mtx_t lock;
static cnd_t changed;
static once_flag flag = ONCE_FLAG_INIT;
static tss_t slot;
static int state, calls;
static thread_local int mine = 7;
static atomic_int total;

static void first(void) { calls++; }

static int work(void *argument)
{
	int want = *(int *)argument;
	call_once(&flag, first);
	mine += want;
	tss_set(slot, &mine);
	mtx_lock(&lock);
	while (state != want)
		cnd_wait(&changed, &lock);
	state++;
	cnd_broadcast(&changed);
	mtx_unlock(&lock);
	atomic_fetch_add_explicit(&total, *(int *)tss_get(slot), memory_order_relaxed);
	return mine;
}

int main(void)
{
	thrd_t t[3];
	int ids[3] = {0, 1, 2};
	mtx_init(&lock, mtx_plain);
	cnd_init(&changed);
	tss_create(&slot, 0);
	for (int i = 0; i < 3; i++)
		if (thrd_create(&t[i], work, &ids[i]) != thrd_success)
			return 1;
	for (int i = 0; i < 3; i++) {
		int result;
		thrd_join(t[i], &result);
		printf("%d\n", result);
	}
	printf("%d %d %d %d\n", state, calls, mine, total);
	printf("%d\n", mtx_trylock(&lock) == thrd_success);
	mtx_unlock(&lock);
	cnd_destroy(&changed);
	mtx_destroy(&lock);
	tss_delete(slot);
	return 0;
}
