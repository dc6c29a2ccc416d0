// Three threads that write the same value to two variables; two of them read one. (Fig. 1 of the
// paper on reads-value-from.)
//
// norn: model=sc executions=98 values paper=98 source="RVF-SMC, Fig. 1"
// norn: model=sc algorithm=rf executions=9 values paper=9 source="RVF-SMC, Fig. 1"
// norn: model=sc algorithm=rvf executions=1 values paper=1 source="RVF-SMC, Fig. 1"
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *writes(void *unused) {
    atomic_store(&x, 1);
    atomic_store(&y, 1);
    return NULL;
}

static void *reads_x(void *unused) {
    writes(NULL);
    (void)atomic_load(&x);
    return NULL;
}

static void *reads_y(void *unused) {
    writes(NULL);
    (void)atomic_load(&y);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writes, NULL);
    pthread_create(&thread, NULL, reads_x, NULL);
    pthread_create(&thread, NULL, reads_y, NULL);
    return 0;
}
