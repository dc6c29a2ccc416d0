// norn: model=rc11 N=4 executions=34205
// norn: model=ra algorithm=rf N=4 executions=34205
// norn: model=sc algorithm=await N=4 executions=19605
#include "../../bench/programs/fib_bench.c"
