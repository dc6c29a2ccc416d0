// norn: verified executions=1
// Nothing is thrown.
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
    f(false);
}
