// norn: verified executions=1
// The near twin, without the fault.
static int value;

static int set(int x) {
    value = x;
}

int main(void) {
    set(1);
    return 0;
}
