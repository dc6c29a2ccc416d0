// norn: violation uninitialised_read line=13
// A member that was never written is used, in a copy.
struct triple { int a, b, c; };

static struct triple make(int a) {
    struct triple triple;
    triple.a = a;
    return triple;
}

int main(void) {
    struct triple triple = make(1), copy = triple;
    return copy.c == 3;
}
