// Exceptions: which handler takes what, what is destroyed on the way, and in which order.
#include <cstdio>
#include <cstring>
#include <exception>

struct Noisy {
    const char *name;
    explicit Noisy(const char *name) : name(name) { std::printf("+%s ", name); }
    Noisy(const Noisy &other) : name(other.name) { std::printf("=%s ", name); }
    ~Noisy() { std::printf("-%s ", name); }
};

struct Base {
    int b = 1;
    virtual ~Base() {}
    virtual const char *who() const { return "Base"; }
};
struct Other {
    int o = 2;
    virtual ~Other() {}
};
struct Derived : Base {
    const char *who() const override { return "Derived"; }
};
struct Both : Other, Derived {
    int both = 3;
    const char *who() const override { return "Both"; }
};
struct Hidden : private Base {};
struct Left : virtual Base {
    int l = 4;
};
struct Right : virtual Base {
    int r = 5;
};
struct Diamond : Left, Right {
    const char *who() const override { return "Diamond"; }
};
struct TwiceLeft : Base {};
struct TwiceRight : Base {};
struct Twice : TwiceLeft, TwiceRight {};
enum class Color { red, green };

template <class T> static const char *take(const T &thrown) {
    static char text[64];
    try {
        throw thrown;
    } catch (int number) {
        std::snprintf(text, sizeof text, "int %d", number);
    } catch (Color color) {
        std::snprintf(text, sizeof text, "color %d", static_cast<int>(color));
    } catch (const Diamond &d) {
        std::snprintf(text, sizeof text, "diamond %d %d %d %s", d.l, d.r, d.b, d.who());
    } catch (const Other &o) {
        std::snprintf(text, sizeof text, "other %d", o.o);
    } catch (Base &b) {
        std::snprintf(text, sizeof text, "base %d %s", b.b, b.who());
    } catch (const char *words) {
        std::snprintf(text, sizeof text, "text %s", words ? words : "null");
    } catch (const Base *b) {
        std::snprintf(text, sizeof text, "base * %s", b ? b->who() : "null");
    } catch (const void *) {
        std::snprintf(text, sizeof text, "void *");
    } catch (...) {
        std::snprintf(text, sizeof text, "something");
    }
    return text;
}

static void types() {
    std::puts(take(7));
    std::puts(take(7u));
    std::puts(take(Color::green));
    std::puts(take(Base()));
    std::puts(take(Derived()));
    std::puts(take(Both()));
    std::puts(take(Hidden()));
    std::puts(take(Diamond()));
    std::puts(take(Twice()));
    Both both;
    Diamond diamond;
    int number = 0;
    std::puts(take(static_cast<const char *>("words")));
    std::puts(take(const_cast<char *>("changeable")));
    std::puts(take(&both));
    std::puts(take(&diamond));
    std::puts(take(static_cast<Diamond *>(nullptr)));
    std::puts(take(&number));
    std::puts(take(&types));
    std::puts(take(nullptr));
}

static void deep(int depth) {
    char name[2] = {static_cast<char>('a' + depth), 0};
    static char names[8][2];
    std::memcpy(names[depth], name, 2);
    Noisy noisy(names[depth]);
    if (depth == 3)
        throw depth;
    deep(depth + 1);
    std::printf("never ");
}

static void order() {
    Noisy outside("outside");
    try {
        Noisy inside("inside");
        deep(0);
    } catch (int depth) {
        std::printf("caught %d ", depth);
    }
    std::puts("");
    for (int i = 0; i < 3; i++) {
        try {
            Noisy each("each");
            if (i == 1)
                continue;
            throw Noisy("thrown");
        } catch (Noisy noisy) {
            std::printf("by value ");
        }
    }
    std::puts("");
}

struct Parts {
    Noisy first{"first"}, second{"second"};
    explicit Parts(bool fails) {
        Noisy local("local");
        if (fails)
            throw 1;
    }
    ~Parts() { std::printf("never "); }
};

struct Member {
    Noisy before{"before"};
    Parts parts;
    Member() try : parts(true) { std::printf("never "); } catch (int) {
        std::printf("in the handler ");
    }
};

static int tried(int number) try {
    if (number > 1)
        throw number;
    return number;
} catch (int thrown) {
    return -thrown;
}

static void constructors() {
    try {
        Parts parts(true);
    } catch (int) {
        std::puts("no object");
    }
    try {
        Member member;
    } catch (int) {
        std::puts("nor this one");
    }
    try {
        Noisy *list = new Noisy[2]{Noisy("one"), (throw 2, Noisy("two"))};
        delete[] list;
    } catch (int) {
        std::puts("nor a list");
    }
    std::printf("%d %d\n", tried(1), tried(2));
}

struct Counts {
    ~Counts() {
        std::printf("[%d] ", std::uncaught_exceptions());
        try {
            Noisy noisy("within");
            throw 'x';
        } catch (char) {
            std::printf("[%d] ", std::uncaught_exceptions());
        }
    }
};

static void nested() {
    try {
        try {
            throw Derived();
        } catch (Base &base) {
            std::printf("%s ", base.who());
            try {
                throw;
            } catch (Derived &derived) {
                std::printf("%s ", derived.who());
            }
            throw;
        }
    } catch (const Derived &derived) {
        std::printf("again %s\n", derived.who());
    }
    try {
        try {
            throw Noisy("a");
        } catch (const Noisy &) {
            throw Noisy("b");
        }
    } catch (const Noisy &noisy) {
        std::printf("caught %s ", noisy.name);
    }
    std::puts("");
    try {
        Counts counts;
        throw 1;
    } catch (...) {
        std::printf("[%d]\n", std::uncaught_exceptions());
    }
}

static int *reference(int *pointer) {
    try {
        throw pointer;
    } catch (int *&caught) {
        return caught;
    }
}

static void pointers() {
    std::exception_ptr kept;
    try {
        throw Noisy("kept");
    } catch (...) {
        kept = std::current_exception();
    }
    std::printf("alive ");
    for (int i = 0; i < 2; i++) {
        try {
            std::rethrow_exception(kept);
        } catch (const Noisy &noisy) {
            std::printf("%s ", noisy.name);
        }
    }
    std::exception_ptr copy = kept;
    kept = nullptr;
    std::printf("%d %d ", kept == nullptr, copy == nullptr);
    copy = nullptr;
    std::puts("");
    std::exception_ptr made = std::make_exception_ptr(5);
    try {
        std::rethrow_exception(made);
    } catch (int number) {
        std::printf("%d %d\n", number, std::current_exception() == made);
    }
    int number = 3;
    std::printf("%d\n", *reference(&number));
}

static int twice = 0;
static int once_more() {
    if (twice++ == 0)
        throw 1;
    return twice;
}
static int lazily() {
    static int value = once_more();
    return value;
}

static void statics() {
    for (int i = 0; i < 3; i++) {
        try {
            std::printf("%d ", lazily());
        } catch (int) {
            std::printf("failed ");
        }
    }
    std::puts("");
}

int main() {
    types();
    order();
    constructors();
    nested();
    pointers();
    statics();
    return 0;
}
