// norn: verified executions=1
// The near twin, without the fault.
int main(void) {
    int *pointer;
    int local = 5;
    {
        pointer = &local;
    }
    return *pointer - 5;
}
