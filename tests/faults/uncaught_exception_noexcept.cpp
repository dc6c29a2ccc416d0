// norn: violation uncaught_exception line=5
// There is a handler, but behind a function that may not throw.
static void inner(int number) {
    if (number > 0)
        throw number;
}

static void outer(int number) noexcept {
    inner(number);
}

int main() {
    try {
        outer(1);
    } catch (int) {
    }
}
