// What std::future, std::promise, std::packaged_task and std::async leave to the library.
#include <future>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace std {

namespace {

struct FutureCategory final : error_category {
    const char* name() const noexcept override { return "future"; }

    string message(int code) const override {
        switch (future_errc(code)) {
        case future_errc::promise_already_satisfied: return "Promise already satisfied";
        case future_errc::future_already_retrieved: return "Future already retrieved";
        case future_errc::no_state: return "No associated state";
        case future_errc::broken_promise: return "Broken promise";
        default: return "Unknown error";
        }
    }
};

} // namespace

const error_category& future_category() noexcept {
    [[clang::no_destroy]] static FutureCategory category;
    return category;
}

future_error::~future_error() noexcept {}
const char* future_error::what() const noexcept { return logic_error::what(); }

void __throw_future_error(int code) { throw future_error(make_error_code(future_errc(code))); }

__future_base::_Result_base::_Result_base() = default;
__future_base::_Result_base::~_Result_base() = default;

namespace {

// Waits at a word for as long as it has a value; false if the time is over. None is given by a null pointer.
bool wait_at(unsigned* word, unsigned value, const timespec* until, int clock) {
    auto result = syscall(SYS_futex, word, FUTEX_WAIT_BITSET | clock, value, until, nullptr, FUTEX_BITSET_MATCH_ANY);
    return result == 0 || errno != ETIMEDOUT;
}

} // namespace

bool __atomic_futex_unsigned_base::_M_futex_wait_until(unsigned* word, unsigned value, bool timed, chrono::seconds seconds,
                                                       chrono::nanoseconds rest) {
    timespec until{seconds.count(), rest.count()};
    return wait_at(word, value, timed ? &until : nullptr, FUTEX_CLOCK_REALTIME);
}

bool __atomic_futex_unsigned_base::_M_futex_wait_until_steady(unsigned* word, unsigned value, bool timed,
                                                              chrono::seconds seconds, chrono::nanoseconds rest) {
    timespec until{seconds.count(), rest.count()};
    return wait_at(word, value, timed ? &until : nullptr, 0);
}

void __atomic_futex_unsigned_base::_M_futex_notify_all(unsigned* word) {
    syscall(SYS_futex, word, FUTEX_WAKE, 0x7fffffff);
}

} // namespace std
