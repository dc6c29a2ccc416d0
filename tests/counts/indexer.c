// norn: model=sc N=13 executions=64
// norn: model=sc N=14 executions=512
// norn: model=ra algorithm=rf N=13 executions=64
// norn: model=ra algorithm=rf N=14 executions=512
// norn: model=ra algorithm=rf N=15 executions=4096
#include "../../bench/programs/indexer.c"
