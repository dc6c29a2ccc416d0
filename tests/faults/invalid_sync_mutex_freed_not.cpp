// norn: verified executions=1
// An object is deleted after its mutex was given back.
#include <mutex>

struct Account {
    int balance = 0;
    std::mutex mutex;
};

int main() {
    auto *account = new Account;
    {
        std::unique_lock<std::mutex> lock(account->mutex);
        account->balance++;
    }
    delete account;
    return 0;
}
