// Calls from constructors of globals, cleanups that end early, and handlers that leave loops.
#include <cstdio>
#include <cstdlib>

static int tries = 0;
static int risky() {
    if (++tries < 3)
        throw tries;
    return tries;
}
static int careful() {
    for (;;) {
        try {
            return risky();
        } catch (int number) {
            std::printf("try %d\n", number);
        }
    }
}
static int global = careful();

struct Sum {
    int *to;
    int value;
    ~Sum() { *to += value; }
};

static int loops() {
    int sum = 0;
    for (int i = 0; i < 5; i++) {
        Sum sums{&sum, i};
        try {
            Sum inner{&sum, 10};
            if (i % 2)
                throw i;
            if (i == 4)
                throw 'c';
        } catch (int odd) {
            sum += 100 * odd;
            continue;
        } catch (char) {
            break;
        }
        sum += 1000;
    }
    return sum;
}

static long recursive(int n) {
    if (n == 0)
        throw 1L;
    try {
        return recursive(n - 1);
    } catch (long sum) {
        throw sum * 2;
    }
}

static int compare(const void *a, const void *b) {
    return *static_cast<const int *>(a) - *static_cast<const int *>(b);
}

int main() {
    std::printf("%d %d\n", global, loops());
    try {
        recursive(20);
    } catch (long sum) {
        std::printf("%ld\n", sum);
    }
    int list[] = {3, 1, 2};
    try {
        std::qsort(list, 3, sizeof *list, compare);
        throw list[0];
    } catch (int least) {
        std::printf("%d\n", least);
        std::exit(least + 4);
    }
}
