#include <stdio.h>
static int order; __attribute__((constructor(200))) static void b(void) { printf("b%d\n", order++); } __attribute__((constructor(101))) static void a(void) { printf("a%d\n", order++); } __attribute__((constructor)) static void c(void) { printf("c%d\n", order++); } __attribute__((destructor)) static void d(void) { printf("d%d\n", order++); }
int main(void) { printf("main%d\n", order++); return 0; }
