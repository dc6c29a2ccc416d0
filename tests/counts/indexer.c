// norn: model=sc N=13 executions=64
// norn: model=sc N=14 executions=512
#include "../../bench/programs/indexer.c"
