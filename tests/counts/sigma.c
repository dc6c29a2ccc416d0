// norn: model=ra algorithm=rf N=5 executions=120
// norn: model=ra algorithm=rf N=6 executions=720
// norn: model=ra algorithm=rf N=7 executions=5040
#include "../../bench/programs/sigma.c"
