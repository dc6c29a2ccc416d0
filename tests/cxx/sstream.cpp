// norn: expect verified -- -std=c++20
// Streams in memory.
#include <iostream>
#include <sstream>
#include <string>

int main() {
    std::ostringstream out;
    out << "n=" << 12 << ';' << 2.5;
    std::istringstream in("17 -4 word 0.5 x");
    int a = 0, b = 0, c = 0;
    double d = 0;
    std::string word;
    in >> a >> b >> word >> d >> c;
    std::cout << out.str() << ' ' << a + b << ' ' << word << ' ' << d << ' ' << in.fail() << '\n';
    std::istringstream lines("one\ntwo\n");
    for (std::string line; std::getline(lines, line);) std::cout << '[' << line << ']';
    std::cout << '\n';
}
