// use_after_return
static int *volatile kept;
static void leak(void) { int local = 3; kept = &local; }
int main(void) { leak(); return *kept; }
