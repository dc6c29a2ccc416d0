// norn: model=ra algorithm=rf N=16 executions=8
// norn: model=ra algorithm=rf N=19 executions=64
// norn: model=ra algorithm=rf N=22 executions=512
#include "../../bench/programs/filesystem.c"
