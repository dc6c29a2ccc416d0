// norn: model=ra algorithm=rf N=7 executions=3432
#include "../../bench/programs/stack_true.c"
