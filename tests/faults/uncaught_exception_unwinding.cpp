// norn: violation uncaught_exception line=7
// A destructor throws while another exception is on its way.
struct Bad {
    bool fails;
    ~Bad() noexcept(false) {
        if (fails)
            throw 2;
    }
};

int main() {
    try {
        Bad bad{true};
        throw 1;
    } catch (int) {
    }
}
