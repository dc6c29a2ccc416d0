// norn: verified executions=1
// The near twin, without the fault.
int main(void) {
    volatile int amount = 31;
    return 1u << amount == 0;
}
