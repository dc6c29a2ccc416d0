// norn: model=rc11 N=4 executions=34205
#include "../../bench/programs/fib_bench.c"
