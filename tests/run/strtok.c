#include <stdio.h>
#include <string.h>
int main(void) { char s[] = "a,b;;c d"; for (char *t = strtok(s, ",; "); t; t = strtok(0, ",; ")) printf("[%s]", t); puts(""); return 0; }
