typedef int (*op)(int, int);
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
op ops[] = {add, sub, 0};
struct vtable { op f; const char *name; struct vtable *next; };
extern struct vtable second;
struct vtable first = {add, "first", &second};
struct vtable second = {sub, &"second"[2], &first};
int array[10];
int *inside = &array[3];
long distance = (long)&array[5];
char *one_past = (char *)(array + 10);
int call(op f, int a) { return f(a, ops[a & 1](a, 2)); }
op choose(int i) { return i ? add : sub; }
int **deep(int ***p) { return *p; }
_Bool same(int *a, int *b) { return a == b || a < b; }
