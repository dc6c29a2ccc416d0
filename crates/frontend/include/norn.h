/* What a program can say to the checker. Every function here is known to it; none needs a library. */
#ifndef NORN_H
#define NORN_H

#ifdef __cplusplus
extern "C" {
#endif

/* Executions in which the condition does not hold are of no interest. */
void norn_assume(int condition);

/* Some number between lo and hi, both included; every one of them is tried. */
long long norn_choose(long long lo, long long hi);

/* Waits until the condition holds. It must have no effect; while it is false, other threads run. */
#define norn_await(condition)                                                                      \
    do {                                                                                           \
    } while (!(condition))

/* Wait until the atomic object at p has (or no longer has) the value v. */
#define norn_await_eq(p, v) norn_await(norn_load_acquire(p) == (v))
#define norn_await_ne(p, v) norn_await(norn_load_acquire(p) != (v))

/* Of an _Atomic, a std::atomic, or any integer or pointer. */
#ifdef __cplusplus
extern "C++" {
template <class T> inline T norn_load_as(T *p, long) {
    return __atomic_load_n(p, __ATOMIC_ACQUIRE);
}
template <class A> inline typename A::value_type norn_load_as(A *p, int) {
    return __atomic_load_n(reinterpret_cast<typename A::value_type *>(p), __ATOMIC_ACQUIRE);
}
}
#define norn_load_acquire(p) norn_load_as((p), 0)
#else
#define norn_load_acquire(p)                                                                       \
    __atomic_load_n((__typeof__(((void)0, *(p))) *)(p), __ATOMIC_ACQUIRE)
#endif

/* The names of the software verification competition. */
void __VERIFIER_assume(int condition);
void __VERIFIER_error(void) __attribute__((noreturn));
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
#ifdef __cplusplus
bool __VERIFIER_nondet_bool(void);
#else
_Bool __VERIFIER_nondet_bool(void);
#endif
char __VERIFIER_nondet_char(void);
unsigned char __VERIFIER_nondet_uchar(void);
short __VERIFIER_nondet_short(void);
unsigned short __VERIFIER_nondet_ushort(void);
int __VERIFIER_nondet_int(void);
unsigned int __VERIFIER_nondet_uint(void);
long __VERIFIER_nondet_long(void);
unsigned long __VERIFIER_nondet_ulong(void);
void reach_error(void);

#ifdef __cplusplus
}
#endif

#endif
