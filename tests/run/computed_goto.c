#include <stdio.h>
static int run(const unsigned char *p) { static void *ops[] = {&&halt, &&inc, &&dbl, &&jnz}; int acc = 1, n = 6; goto *ops[*p]; inc: acc++; p++; goto *ops[*p]; dbl: acc *= 2; p++; goto *ops[*p]; jnz: if (--n) p -= 2; else p++; goto *ops[*p]; halt: return acc; }
int main(void) { unsigned char prog[] = {1, 2, 3, 1, 0}; printf("%d\n", run(prog)); return 0; }
