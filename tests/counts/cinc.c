// norn: model=rc11 N=4 executions=13824
// norn: model=rc11 algorithm=rf N=4 executions=13824
#include "../../bench/programs/cinc.c"
