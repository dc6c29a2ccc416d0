// norn: model=rc11 N=4 executions=13824
#include "../../bench/programs/cinc.c"
