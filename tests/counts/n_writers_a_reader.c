// norn: model=rc11 N=6 executions=5040
// norn: model=sc N=5 executions=720
// norn: model=ra N=7 executions=40320
// norn: model=tso N=4 executions=120
// norn: model=pso N=4 executions=120
#include "../../bench/programs/n_writers_a_reader.c"
