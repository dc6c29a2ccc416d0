// norn: model=sc executions=98
// norn: model=sc algorithm=rf executions=9
#include "../../bench/programs/one_value.c"
