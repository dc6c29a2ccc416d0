// Assembly that everybody uses, on x86: what it computes.
#include <stdbool.h>
#include <stdio.h>

#if defined(__x86_64__)
static int fetch_add(int *target, int delta) {
    __asm__ __volatile__("lock xaddl %1, %0" : "+m"(*target), "+q"(delta) : : "memory", "cc");
    return delta;
}

static int add_return(int *target, int value) {
    int result = value;
    __asm__ __volatile__("lock; xaddl %0, %1" : "+r"(result), "+m"(*target) : : "memory");
    return result + value;
}

static long exchange(long *target, long value) {
    __asm__ __volatile__("xchgq %0, %1" : "+m"(*target), "+q"(value) : : "memory");
    return value;
}

static unsigned char exchange_byte(unsigned char *target, unsigned char value) {
    unsigned char result;
    __asm__ __volatile__("xchgb %0, %1" : "=q"(result), "+m"(*target) : "0"(value) : "memory");
    return result;
}

static bool compare_exchange(int *target, int expected, int desired) {
    bool done;
    __asm__ __volatile__("lock cmpxchgl %3, %0; setz %1"
                         : "+m"(*target), "=a"(done)
                         : "a"(expected), "q"(desired)
                         : "memory", "cc");
    return done;
}

static bool compare_exchange_flag(int *target, int *expected, int desired) {
    bool done;
    __asm__ __volatile__("lock cmpxchg %3, %0"
                         : "+m"(*target), "=@ccz"(done), "+a"(*expected)
                         : "q"(desired)
                         : "memory", "cc");
    return done;
}

static unsigned long compare_exchange_old(unsigned long *target, unsigned long old, unsigned long new) {
    unsigned long result = old;
    __asm__ __volatile__("lock; cmpxchgq %2, %1" : "+a"(result), "+m"(*target) : "r"(new) : "memory");
    return result;
}

static bool decrement_is_zero(int *target) {
    unsigned char zero;
    __asm__ __volatile__("lock; decl %0; sete %1" : "+m"(*target), "=qm"(zero) : : "memory", "cc");
    return zero;
}

static bool increment_is_not_zero(int *target) {
    bool there;
    __asm__ __volatile__("lock incl %0; setnz %1" : "+m"(*target), "=r"(there) : : "memory", "cc");
    return there;
}

int main(void) {
    int word = 5;
    long wide = 1;
    unsigned char byte = 200;
    unsigned long count = 7;
    printf("%d %d\n", fetch_add(&word, -2), add_return(&word, 10));
    printf("%ld %ld\n", exchange(&wide, 1L << 40), wide);
    printf("%d %d\n", exchange_byte(&byte, 3), byte);
    printf("%d %d %d\n", compare_exchange(&word, 1, 2), compare_exchange(&word, 13, 2), word);
    int expected = 9;
    printf("%d %d", compare_exchange_flag(&word, &expected, 4), expected);
    printf(" %d %d\n", compare_exchange_flag(&word, &expected, 4), word);
    printf("%lu %lu %lu\n", compare_exchange_old(&count, 7, 8), compare_exchange_old(&count, 7, 9), count);
    word = 1;
    printf("%d", decrement_is_zero(&word));
    printf("%d", decrement_is_zero(&word));
    printf("%d\n", increment_is_not_zero(&word));
    __asm__ __volatile__("lock; orl %1, %0" : "+m"(word) : "er"(12) : "memory", "cc");
    __asm__ __volatile__("lock; andl %1, %0" : "=m"(word) : "er"(10) : "memory");
    __asm__ __volatile__("lock; addl %1, %0" : "=m"(word) : "er"(-3) : "memory");
    __asm__ __volatile__("lock xorl %1, %0" : "+m"(word) : "r"(1) : "memory");
    __asm__ __volatile__("lock subl $2, %0" : "+m"(word) : : "memory");
    __asm__ __volatile__("lock notl %0" : "+m"(word) : : "memory");
    printf("%d\n", word);
    __asm__ __volatile__("mfence; lfence; sfence" ::: "memory");
    __asm__ __volatile__("lock; addl $0,-4(%%rsp)" ::: "memory", "cc");
    __asm__ __volatile__("rep; nop" ::: "memory");
    return 0;
}
#else
int main(void) { return 0; }
#endif
