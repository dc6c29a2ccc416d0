#include <stdio.h>
struct s { char c; __int128 v; int t; };
static __int128 g = -3; static struct s arr[3] = {{1, -1, 2}, {3, (__int128)1 << 100, 4}};
static __int128 twice(__int128 x) { return x * 2; }
static struct s make(int i) { struct s s = {(char)i, i * g, i}; return s; }
int main(void) {
    struct s m = make(5); arr[2] = m; printf("%lu %lu\n", sizeof m, _Alignof(struct s));
    for (int i = 0; i < 3; i++) printf("%d %lx %lx %d\n", arr[i].c, (long)(arr[i].v >> 64), (long)arr[i].v, arr[i].t);
    printf("%ld\n", (long)twice(m.v)); return 0;
}
