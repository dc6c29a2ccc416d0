// norn: verified executions=1
// The near twin of uncaught_exception_noexcept.cpp that has nothing wrong: the function in between may throw.
static void inner(int number) {
    if (number > 0)
        throw number;
}

static void outer(int number) {
    inner(number);
}

int main() {
    try {
        outer(1);
    } catch (int) {
    }
}
