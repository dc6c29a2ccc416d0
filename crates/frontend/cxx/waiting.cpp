// How std::atomic<T>::notify_one and what is made of it (latches, semaphores, barriers) find out whether anybody waits.
//
// Who waits adds himself to a number and then looks at the object; who notifies has changed the object and then reads that
// number. The standard promises that one of them sees the other, whatever the order of the change is. The library's read is
// seq_cst, which on the machines that there are comes after the change. Models of C++ do not say so, and a machine with
// store buffers may be late with a release store; so there is a fence here.

extern "C" bool waiting(const int* count) __asm__("_ZNKSt8__detail18__waiter_pool_base10_M_waitingEv");

bool waiting(const int* count) {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    return __atomic_load_n(count, __ATOMIC_SEQ_CST) != 0;
}
