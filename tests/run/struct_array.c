#include <stdio.h>
struct emp { char name[12]; int age; float pay; struct { unsigned m : 4, d : 5; } hired; }; static struct emp staff[] = {{"ann", 30, 10.5f, {3, 17}}, {"bob", 25, 8.25f, {11, 30}}, {"cy", 41, 20, {1, 1}}};
static const struct emp *oldest(const struct emp *e, int n) { const struct emp *r = e; for (int i = 1; i < n; i++) if (e[i].age > r->age) r = &e[i]; return r; }
int main(void) { float t = 0; for (unsigned i = 0; i < 3; i++) { staff[i].pay *= 1.1f; t += staff[i].pay; staff[i].hired.d++; } printf("%s %.3f %d %d\n", oldest(staff, 3)->name, t, staff[1].hired.d, staff[1].hired.m); struct emp c = staff[0]; c.name[0] = 'A'; printf("%s %s %lu\n", c.name, staff[0].name, sizeof c); return 0; }
