// norn: model=ra algorithm=rf N=5 executions=91
// norn: model=ra algorithm=rf N=10 executions=331
// norn: model=ra algorithm=rf N=15 executions=721
// norn: model=ra algorithm=rf N=20 executions=1261
#include "../../bench/programs/redundant_co.c"
