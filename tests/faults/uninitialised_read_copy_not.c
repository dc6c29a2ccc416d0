// norn: verified executions=1
// The near twin, without the fault.
struct triple { int a, b, c; };

static struct triple make(int a) {
    struct triple triple;
    triple.a = a;
    return triple;
}

int main(void) {
    struct triple triple = make(1), copy = triple;
    return copy.a - 1;
}
