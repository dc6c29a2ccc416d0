// norn: violation assertion line=10
// Global objects are destroyed when a thread calls exit.
#include <cassert>
#include <pthread.h>
#include <cstdlib>

static int x;

struct Global {
    ~Global() { assert(x == 0); }
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
