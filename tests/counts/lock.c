// norn: model=rc11 N=6 executions=720
// norn: model=sc N=5 executions=120
// norn: model=ra N=4 executions=24
// norn: model=tso N=4 executions=24
// norn: model=pso N=4 executions=24
// norn: model=rc11 algorithm=rf N=2 executions=2
// norn: model=rc11 algorithm=rf N=6 executions=720
// norn: model=pso algorithm=rf N=6 executions=720
// norn: model=sc algorithm=await N=5 executions=120
#include "../../bench/programs/lock.c"
