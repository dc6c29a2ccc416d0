struct flags { unsigned a : 1, b : 3; signed c : 5; unsigned long long d : 40; unsigned : 0; char e : 2; };
struct flags global = {1, 5, -3, 0x123456789aULL, 1};
struct __attribute__((packed)) tight { unsigned char a : 4; unsigned short b : 12; int c; };
int get(struct flags *f) { return f->a + f->b + f->c + (int)f->d + f->e; }
void set(struct flags *f, int v) { f->a = v; f->b = v; f->c = v; f->d = v; f->e = v; }
struct tight pack(int v) { struct tight t = {1, 2, v}; t.b += v; return t; }
