#include <stdexcept>
#include <string>
struct Guard { int &x; Guard(int &x) : x(x) { x++; } ~Guard() { x--; } };
int risky(int n) { if (n > 3) throw std::runtime_error("too large: " + std::to_string(n)); if (n < 0) throw n; return n; }
int safe(int n) {
    int x = 0;
    Guard g(x);
    try { return risky(n); }
    catch (const std::exception &e) { return -1; }
    catch (int i) { return i; }
    catch (...) { x = 2; throw; }
}
int no_throw(int n) noexcept { return risky(n); }
void filter() { try { risky(1); } catch (const char *) { } }
