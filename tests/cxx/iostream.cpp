// norn: expect verified -- -std=c++20
// Printing by streams.
#include <iomanip>
#include <iostream>
#include <string>

int main() {
    std::cout << "text " << 42 << ' ' << -7L << ' ' << 3u << ' ' << true << std::boolalpha << false << '\n';
    std::cout << std::hex << std::showbase << 255 << ' ' << std::uppercase << 255u << std::dec << std::endl;
    std::cout << std::setw(6) << 42 << '|' << std::left << std::setw(6) << "ab" << '|' << std::setfill('*')
              << std::internal << std::setw(6) << -42 << '|' << std::right << std::setw(4) << std::string("x") << "\n";
    std::cout << 1.5 << ' ' << 0.1 + 0.2 << ' ' << 1e20 << ' ' << std::fixed << std::setprecision(2) << 3.14159 << ' '
              << std::scientific << 31.4159 << '\n';
    std::cout << static_cast<void *>(nullptr) << ' ' << std::showpos << std::dec << 5 << '\n';
    std::cerr << "not shown\n";
}
