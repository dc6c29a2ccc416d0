extern "C" {
extern int shared;
int from_two(int x);
}
template <typename T> inline T twice(T x) { return x * 2; }
static int hidden() { return 1000; }
int from_two(int x) { return twice(x) + hidden() + shared; }
