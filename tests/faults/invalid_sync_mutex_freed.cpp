// norn: violation invalid_sync line=14
// An object is deleted by who holds its mutex.
#include <mutex>

struct Account {
    int balance = 0;
    std::mutex mutex;
};

int main() {
    auto *account = new Account;
    std::unique_lock<std::mutex> lock(account->mutex);
    account->balance++;
    delete account;
    lock.release();
    return 0;
}
