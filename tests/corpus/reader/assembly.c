__asm__(".globl marker\nmarker:\n");
void barrier(void) { __asm__ volatile("" ::: "memory"); }
void relax(void) { __asm__ volatile("nop"); }
int moved(int x) { int y; __asm__("mov %1, %0" : "=r"(y) : "r"(x) : "cc"); return y; }
int tied(int x) { __asm__("" : "+r"(x)); return x; }
