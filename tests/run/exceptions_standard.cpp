// Exceptions of the standard library, those that it throws itself among them, and what objects are at run time.
#include <array>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <typeinfo>
#include <vector>

struct Own : std::runtime_error {
    int code;
    explicit Own(int code) : std::runtime_error("own"), code(code) {}
};
struct Words : std::exception {
    const char *what() const noexcept override { return "words"; }
};

template <class F> static void show(const char *name, F f) {
    try {
        f();
        std::printf("%s: nothing\n", name);
    } catch (const Own &own) {
        std::printf("%s: %s %d\n", name, own.what(), own.code);
    } catch (const std::logic_error &error) {
        std::printf("%s: logic %s\n", name, error.what());
    } catch (const std::system_error &error) {
        std::printf("%s: system %d\n", name, error.code().value());
    } catch (const std::runtime_error &error) {
        std::printf("%s: runtime %s\n", name, error.what());
    } catch (const std::bad_alloc &error) {
        std::printf("%s: alloc %s\n", name, error.what());
    } catch (const std::exception &error) {
        std::printf("%s: %s\n", name, error.what());
    }
}

struct Shape {
    virtual ~Shape() {}
};
struct Round : virtual Shape {
    int r = 1;
};
struct Flat : virtual Shape {
    int f = 2;
};
struct Disc : Round, Flat {
    int d = 3;
};
struct Named {
    virtual ~Named() {}
    int n = 4;
};
struct Label : Disc, Named {
    int l = 5;
};

static void casts() {
    Label label;
    Shape *shape = &label;
    Named *named = &label;
    std::printf("%d ", dynamic_cast<Disc *>(shape)->d);
    std::printf("%d ", dynamic_cast<Flat *>(named)->f);
    std::printf("%d ", dynamic_cast<Label *>(named)->l);
    std::printf("%d ", dynamic_cast<void *>(named) == &label);
    Disc disc;
    shape = &disc;
    std::printf("%d ", dynamic_cast<Label *>(shape) == nullptr);
    std::printf("%d ", dynamic_cast<Named *>(shape) == nullptr);
    std::printf("%d ", typeid(*shape) == typeid(Disc));
    std::printf("%s %s\n", typeid(*shape).name(), typeid(int).name());
    show("cast", [&] { std::printf("%d", dynamic_cast<Named &>(*shape).n); });
    show("typeid", [&] {
        shape = nullptr;
        std::printf("%s", typeid(*shape).name());
    });
}

int main() {
    show("none", [] {});
    show("own", [] { throw Own(3); });
    show("words", [] { throw Words(); });
    show("exception", [] { throw std::exception(); });
    show("runtime", [] { throw std::runtime_error("text"); });
    show("string", [] { throw std::runtime_error(std::string("a longer text, ") + "of two parts"); });
    show("logic", [] { throw std::logic_error("text"); });
    show("argument", [] { throw std::invalid_argument("text"); });
    show("domain", [] { throw std::domain_error("text"); });
    show("range", [] { throw std::range_error("text"); });
    show("overflow", [] { throw std::overflow_error("text"); });
    show("copy", [] {
        std::out_of_range first("first"), second("second");
        second = first;
        std::out_of_range third(second);
        throw third;
    });
    show("at", [] { std::vector<int>(2).at(2); });
    show("array", [] {
        std::array<int, 2> a{};
        std::printf("%d", a.at(std::strlen("four")));
    });
    show("reserve", [] { std::vector<int>().reserve(static_cast<std::size_t>(-1)); });
    show("new", [] {
        volatile std::size_t size = static_cast<std::size_t>(1) << 60;
        static char *volatile much;
        much = new char[size];
    });
    show("function", [] { std::function<void()>()(); });
    show("substr", [] { std::string("abc").substr(4); });
    show("weak", [] { std::shared_ptr<int> p{std::weak_ptr<int>()}; });
    show("system", [] { throw std::system_error(std::make_error_code(std::errc::invalid_argument)); });
    try {
        std::thread().join();
    } catch (const std::system_error &error) {
        std::printf("%s %d ", error.what(), error.code() == std::errc::invalid_argument);
        std::printf("%d ", error.code() == std::errc::permission_denied);
        std::printf("%s %s\n", error.code().message().c_str(), error.code().category().name());
    }
    casts();
    return 0;
}
