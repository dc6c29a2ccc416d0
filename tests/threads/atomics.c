#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

static _Atomic uint8_t a8;
static _Atomic uint16_t a16;
static _Atomic uint32_t a32;
static _Atomic uint64_t a64;
static atomic_flag flag = ATOMIC_FLAG_INIT;
static _Atomic(int *) pointer;
static int cell = 5;
static __int128 wide __attribute__((aligned(16)));

static void *work(void *unused)
{
	for (int i = 0; i < 100; i++) {
		atomic_fetch_add_explicit(&a8, 3, memory_order_relaxed);
		atomic_fetch_sub_explicit(&a16, 1, memory_order_acq_rel);
		atomic_fetch_xor(&a32, 0x55u << (i % 8));
		uint64_t old = atomic_load(&a64);
		while (!atomic_compare_exchange_weak_explicit(&a64, &old, old * 3 + 1,
							      memory_order_release, memory_order_relaxed))
			;
	}
	while (atomic_flag_test_and_set(&flag))
		;
	cell++;
	atomic_flag_clear(&flag);
	atomic_store_explicit(&pointer, &cell, memory_order_release);
	atomic_thread_fence(memory_order_seq_cst);
	return unused;
}

int main(void)
{
	pthread_t t[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], 0, work, 0);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], 0);
	printf("%u %u %u %llu\n", a8, a16, a32, (unsigned long long)a64);
	printf("%d %d\n", cell, *atomic_load(&pointer));
	uint32_t expected = 1, desired = 2;
	printf("%d", atomic_compare_exchange_strong(&a32, &expected, desired));
	printf(" %u\n", expected);
	printf("%u\n", atomic_exchange(&a32, 77));
	printf("%u\n", atomic_fetch_or(&a32, 2));
	atomic_store(&a16, 9);
	printf("%d\n", (int)a16);
	printf("%d\n", __sync_fetch_and_add(&cell, 4));
	wide = ((__int128)1 << 100) + 7;
	printf("%d\n", (int)(wide >> 98));
	printf("%d\n", (int)__sync_bool_compare_and_swap(&cell, 11, 12));
	return 0;
}
