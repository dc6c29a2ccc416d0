// norn: model=ra algorithm=rf N=7 executions=3432
// norn: model=sc algorithm=await N=7 executions=3432
#include "../../bench/programs/pthread_demo.c"
