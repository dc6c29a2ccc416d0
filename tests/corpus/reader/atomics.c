// Every operation and order of <stdatomic.h>.
#include <stdatomic.h>
#include <stdbool.h>
_Atomic int x;
_Atomic unsigned long long y;
_Atomic(char *) p;
atomic_flag flag = ATOMIC_FLAG_INIT;
_Atomic __int128 wide;
struct pair { int a, b; };
_Atomic struct pair both;
_Atomic float real;
int plain;
int loads(void) {
    return atomic_load_explicit(&x, memory_order_relaxed) + atomic_load_explicit(&x, memory_order_consume) +
           atomic_load_explicit(&x, memory_order_acquire) + atomic_load(&x);
}
void stores(int v) {
    atomic_store_explicit(&x, v, memory_order_relaxed);
    atomic_store_explicit(&x, v, memory_order_release);
    atomic_store(&x, v);
}
int rmws(int v) {
    int r = atomic_fetch_add_explicit(&x, v, memory_order_relaxed);
    r += atomic_fetch_sub_explicit(&x, v, memory_order_acquire);
    r += atomic_fetch_and_explicit(&x, v, memory_order_release);
    r += atomic_fetch_or_explicit(&x, v, memory_order_acq_rel);
    r += atomic_fetch_xor(&x, v);
    r += atomic_exchange(&x, v);
    atomic_fetch_add(&p, 3);
    y++;
    real += 1.5f;
    return r + __atomic_fetch_nand(&plain, v, __ATOMIC_SEQ_CST) + __atomic_fetch_max(&plain, v, __ATOMIC_RELAXED) +
           (int)__atomic_fetch_min((unsigned *)&plain, (unsigned)v, __ATOMIC_ACQ_REL);
}
bool cas(int *e, int v) {
    bool r = atomic_compare_exchange_strong(&x, e, v);
    r |= atomic_compare_exchange_weak_explicit(&x, e, v, memory_order_acq_rel, memory_order_acquire);
    r |= atomic_compare_exchange_weak_explicit(&x, e, v, memory_order_release, memory_order_relaxed);
    return r;
}
void fences(void) {
    atomic_thread_fence(memory_order_acquire);
    atomic_thread_fence(memory_order_release);
    atomic_thread_fence(memory_order_acq_rel);
    atomic_thread_fence(memory_order_seq_cst);
    atomic_signal_fence(memory_order_seq_cst);
}
bool flags(void) { bool r = atomic_flag_test_and_set(&flag); atomic_flag_clear_explicit(&flag, memory_order_release); return r; }
struct pair structs(struct pair v) { return atomic_exchange(&both, v); }
void variable(int v, int order) { __atomic_store_n(&plain, v, order); wide = v; }
