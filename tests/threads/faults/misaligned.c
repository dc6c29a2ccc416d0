// undefined_behaviour
#include <stdatomic.h>
static char bytes[16];
int main(void) { return atomic_load((atomic_int *)(bytes + 1)); }
