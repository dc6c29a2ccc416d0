#include <stdio.h>
enum e { A, B = 5, C, D = -3, E }; enum big { X = 0x7fffffff }; typedef enum { RED = 1 << 0, GREEN = 1 << 1, BLUE = 1 << 2 } colour;
static const char *name(colour c) { switch (c) { case RED: return "red"; case GREEN: return "green"; case BLUE: return "blue"; default: return "mixed"; } }
int main(void) { printf("%d %d %d %d %d %d\n", A, B, C, D, E, X); printf("%s %s\n", name(BLUE), name(RED | GREEN)); enum e v = C; v++; printf("%d\n", v); return sizeof(colour); }
