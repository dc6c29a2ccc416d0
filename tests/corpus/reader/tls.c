_Thread_local int a = 5;
static _Thread_local int b;
extern _Thread_local int c;
_Thread_local int *p = 0;
int *get(void) { static _Thread_local char buffer[16]; b++; p = &a; buffer[0] = 1; return c ? &a : &b; }
