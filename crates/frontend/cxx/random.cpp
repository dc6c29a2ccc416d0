// std::random_device: each one gives the same numbers in each execution.
#include <random>

namespace std {

void random_device::_M_init(const string&) { _M_fd = 0; }
void random_device::_M_init_pretr1(const string&) { _M_fd = 0; }
void random_device::_M_fini() {}
double random_device::_M_getentropy() const noexcept { return 0; }

random_device::result_type random_device::_M_getval() {
    unsigned value = ++_M_fd * 0x9e3779b9u;
    value = (value ^ value >> 16) * 0x85ebca6bu;
    return value ^ value >> 13;
}

random_device::result_type random_device::_M_getval_pretr1() { return _M_getval(); }

} // namespace std
