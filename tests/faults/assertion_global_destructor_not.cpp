// norn: verified executions=1
// The near twin, without the fault.
#include <cassert>
#include <pthread.h>
#include <cstdlib>

static int x;

struct Global {
    ~Global() { assert(x == 1); }
};

static Global global;

static void *work(void *unused) {
    x = 1;
    std::exit(0);
    return unused;
}

int main() {
    pthread_t thread;
    pthread_create(&thread, nullptr, work, nullptr);
    pthread_join(thread, nullptr);
}
