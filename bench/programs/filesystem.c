// N threads allocate blocks for inodes: each looks from a block of its own on for a free one, and every
// inode and every block has a lock. Only from the fourteenth thread on do they meet.
//
// norn: model=ra N=16 executions=8 paper=8 source="RCMC in TRACER's Table 2"
// norn: model=ra N=19 executions=64 paper=64 source="RCMC in TRACER's Table 2"
// norn: model=ra N=22 executions=512 slow paper=512 source="RCMC in TRACER's Table 2"
// norn: model=ra N=25 executions=4096 slow
// norn: model=ra algorithm=rf N=16 executions=8 paper=8 source="TRACER, Table 2"
// norn: model=ra algorithm=rf N=19 executions=64 paper=64 source="TRACER, Table 2"
// norn: model=ra algorithm=rf N=22 executions=512 slow paper=512 source="TRACER, Table 2"
// norn: model=ra algorithm=rf N=25 executions=4096 slow paper=4096 source="TRACER, Table 2"
#include <pthread.h>
#include <stdint.h>

#ifndef N
#define N 19
#endif
#define INODES 32
#define BLOCKS 26

static pthread_mutex_t inode_lock[INODES], block_lock[BLOCKS];
static int inode[INODES], busy[BLOCKS];

static void *allocate(void *argument) {
    int i = (int)(intptr_t)argument % INODES;
    pthread_mutex_lock(&inode_lock[i]);
    if (inode[i] == 0) {
        int b = (i * 2) % BLOCKS;
        for (;;) {
            pthread_mutex_lock(&block_lock[b]);
            if (!busy[b]) {
                busy[b] = 1;
                inode[i] = b + 1;
                pthread_mutex_unlock(&block_lock[b]);
                break;
            }
            pthread_mutex_unlock(&block_lock[b]);
            b = (b + 1) % BLOCKS;
        }
    }
    pthread_mutex_unlock(&inode_lock[i]);
    return NULL;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < INODES; i++)
        pthread_mutex_init(&inode_lock[i], NULL);
    for (int b = 0; b < BLOCKS; b++)
        pthread_mutex_init(&block_lock[b], NULL);
    for (int i = 0; i < N; i++)
        pthread_create(&thread, NULL, allocate, (void *)(intptr_t)i);
    return 0;
}
