volatile int device;
volatile struct { int a; long b; } registers;
const int constant = 5;
int poll(void) { while (!(device & 1)) device = 2; registers.a = device; registers.b += constant; return device++; }
int restrict_it(int *restrict a, const int *restrict b) { *a = 1; return *a + *b; }
