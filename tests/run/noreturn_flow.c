#include <stdio.h>
#include <stdlib.h>
__attribute__((noreturn)) static void die(int c) { printf("dying %d\n", c); exit(c); } static int pick(int x) { if (x > 2) return x; die(9); }
int main(void) { printf("%d\n", pick(5)); return pick(1); }
