// norn: model=sc N=5 executions=64
// norn: model=sc N=10 executions=3328
// norn: model=sc N=15 executions=147456
// norn: model=sc algorithm=rf N=10 executions=3328
// norn: model=sc algorithm=await N=10 executions=3328
#include "../../bench/programs/lastzero.c"
