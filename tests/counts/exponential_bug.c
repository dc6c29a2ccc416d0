// norn: model=ra algorithm=rf N=2 executions=1934
// norn: model=ra algorithm=rf N=3 executions=3676
// norn: model=ra N=2 executions=11444
#include "../../bench/programs/exponential_bug.c"
