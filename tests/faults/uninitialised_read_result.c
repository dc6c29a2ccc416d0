// norn: violation uninitialised_read line=10
// The result of a function that ends without one is used.
static int value;

static int set(int x) {
    value = x;
}

int main(void) {
    if (set(1))
        return 1;
    return 0;
}
