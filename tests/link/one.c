int shared = 7;
int common_like = 9;
const char *names[] = {"zero", "one"};
_Thread_local int per_thread = 40;
static int hidden(void) { return 100; }
int from_two(int x);
int from_one(int x) { return x + hidden() + from_two(x); }
int replaced(void) { return 2; }
