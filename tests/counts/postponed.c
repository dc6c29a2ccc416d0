// norn: model=ra algorithm=rf executions=4
#include "../../bench/programs/postponed.c"
