#include <stdio.h>
static int x; int main(void) { x = 1; __asm__ volatile("" ::: "memory"); x++; int y = x; __asm__("" : "+r"(y)); printf("%d\n", y); __asm__ volatile("pause"); return 0; }
