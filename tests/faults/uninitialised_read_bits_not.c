// norn: verified executions=1
// The near twin, without the fault.
struct bits { unsigned a : 3, b : 5, c : 24; };

int main(void) {
    struct bits bits;
    bits.a = 1;
    return bits.a - 1;
}
