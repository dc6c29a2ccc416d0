// norn: model=rc11 N=6 executions=5040
// norn: model=sc N=5 executions=720
// norn: model=ra N=7 executions=40320
// norn: model=tso N=4 executions=120
// norn: model=pso N=4 executions=120
// norn: model=ra algorithm=rf N=7 executions=8
// norn: model=ra algorithm=rf N=8 executions=9
// norn: model=ra algorithm=rf N=9 executions=10
// norn: model=ra algorithm=rf N=10 executions=11
// norn: model=sc algorithm=await N=5 executions=720
#include "../../bench/programs/n_writers_a_reader.c"
