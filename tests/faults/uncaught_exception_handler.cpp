// norn: violation uncaught_exception line=5
// An exception that is thrown where no handler is: nobody catches it.
static void f(bool wrong) {
    if (wrong)
        throw 5;
}

int main() {
    try {
        f(false);
    } catch (int) {
        return 1;
    }
    f(true);
}
