// What atomic operations on a std::shared_ptr leave to the library: the locks behind them.
#include <memory>
#include <pthread.h>
#include <typeinfo>

namespace std {

namespace {

constexpr unsigned char COUNT = 16;
pthread_mutex_t locks[COUNT];

unsigned char key_of(const void* pointer) {
    auto address = reinterpret_cast<unsigned long>(pointer);
    return (address >> 4 ^ address >> 16 ^ address >> 36) % COUNT;
}

} // namespace

_Sp_locker::_Sp_locker(const void* pointer) noexcept : _M_key1(key_of(pointer)), _M_key2(COUNT) {
    pthread_mutex_lock(&locks[_M_key1]);
}

// The lower number first, so that there is no deadlock.
_Sp_locker::_Sp_locker(const void* one, const void* other) noexcept : _M_key1(key_of(one)), _M_key2(key_of(other)) {
    unsigned char low = _M_key1 < _M_key2 ? _M_key1 : _M_key2, high = _M_key1 < _M_key2 ? _M_key2 : _M_key1;
    pthread_mutex_lock(&locks[low]);
    if (low == high) _M_key2 = COUNT;
    else pthread_mutex_lock(&locks[high]);
}

_Sp_locker::~_Sp_locker() {
    pthread_mutex_unlock(&locks[_M_key1]);
    if (_M_key2 != COUNT) pthread_mutex_unlock(&locks[_M_key2]);
}

bool _Sp_make_shared_tag::_S_eq(const type_info& type) noexcept { return type == typeid(_Sp_make_shared_tag); }

} // namespace std
