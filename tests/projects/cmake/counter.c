#include "counter.h"
#include <stdatomic.h>

#ifdef RACY
static int counter;
void counter_add(void) { counter++; }
int counter_value(void) { return counter; }
#else
static atomic_int counter;
void counter_add(void) { atomic_fetch_add_explicit(&counter, 1, memory_order_relaxed); }
int counter_value(void) { return atomic_load_explicit(&counter, memory_order_relaxed); }
#endif
