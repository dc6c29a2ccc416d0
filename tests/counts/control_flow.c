// norn: model=ra algorithm=rf N=6 executions=77
// norn: model=ra algorithm=rf N=8 executions=273
// norn: model=ra algorithm=rf N=10 executions=1045
// norn: model=ra N=4 executions=600
#include "../../bench/programs/control_flow.c"
