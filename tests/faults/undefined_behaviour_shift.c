// norn: violation undefined_behaviour line=5
// A shift by the width of the number.
int main(void) {
    volatile int amount = 32;
    return 1 << amount;
}
