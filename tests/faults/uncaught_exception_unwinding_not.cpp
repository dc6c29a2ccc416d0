// norn: verified executions=1
// The near twin of uncaught_exception_unwinding.cpp that has nothing wrong: there is one exception only.
struct Bad {
    bool fails;
    ~Bad() noexcept(false) {
        if (fails)
            throw 2;
    }
};

int main() {
    try {
        Bad bad{false};
        throw 1;
    } catch (int) {
    }
}
