int classify(int x) {
    switch (x) {
    case -1: return 7;
    case 0 ... 5: return 1;
    case 100: x++; __attribute__((fallthrough));
    case 101: return x;
    case 0x7fffffff: return 3;
    default: break;
    }
    do { if (x > 10) goto out; x += 2; } while (x < 1000);
out:
    for (int i = 0; i < x; i++) { if (i == 3) continue; if (i == 7) break; x -= i; }
    return x && (x | 1) ? x : -x;
}
int computed(int i) {
    static void *labels[] = {&&a, &&b, &&c};
    goto *labels[i];
a: return 1;
b: return 2;
c: return 3;
}
long long_switch(long x) { switch (x) { case 1L << 40: return 1; case -5L: return 2; } return 3; }
int collatz(unsigned n) { int s = 0; while (n != 1) { n = n % 2 ? 3 * n + 1 : n / 2; s++; } return s; }
void never(void) { __builtin_unreachable(); }
