// norn: model=rc11 N=5 executions=120
// norn: model=sc N=6 executions=720
// norn: model=ra N=4 executions=24
// norn: model=tso N=4 executions=24
// norn: model=pso N=4 executions=24
// norn: model=rc11 N=7 executions=5040
// norn: model=rc11 algorithm=rf N=7 executions=5040
// norn: model=sc algorithm=await N=7 executions=1
// norn: model=sc algorithm=await:standard N=6 executions=720
#include "../../bench/programs/ainc.c"
