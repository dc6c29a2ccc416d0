struct inner { short a; int b[3]; };
struct outer { struct inner i; struct { char c; double d; }; struct outer *self; int (*f)(void); };
static int zero(void) { return 0; }
struct outer o = {{1, {2, [2] = 4}}, {'c', 1.5}, &o, zero};
int sparse[100] = {[5] = 1, [99] = 2};
struct inner many[3] = {{1}, {2, {3}}, {.b = {[1] = 7}}};
static const int primes[] = {2, 3, 5, 7, 11};
_Bool truth = 1;
enum colour { RED, GREEN = 5, BLUE } colour = BLUE;
int counter(void) { static int n = 10; static const char *names[] = {"x", "y"}; return n++ + (int)names[0][0]; }
int sum(void) { int s = 0; for (unsigned i = 0; i < sizeof primes / sizeof *primes; i++) s += primes[i]; return s + o.self->i.b[2] + sparse[99]; }
