// norn: model=sc executions=98
#include "../../bench/programs/one_value.c"
