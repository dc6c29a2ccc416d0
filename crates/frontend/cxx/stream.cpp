// What streams leave to the library: the standard streams, the state of a stream, and how numbers are printed and read.
// There is only the C locale. Printing changes nothing of a stream but its width, if it has one: threads may print to one
// stream at the same time.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <istream>
#include <locale>
#include <ostream>

namespace std {

locale::locale() noexcept : _M_impl(nullptr) {}
locale::locale(const locale&) noexcept : _M_impl(nullptr) {}
locale::~locale() noexcept {}
const locale& locale::operator=(const locale&) noexcept { return *this; }
bool locale::operator==(const locale&) const noexcept { return true; }
locale locale::global(const locale&) { return locale(); }

const locale& locale::classic() {
    [[clang::no_destroy]] static locale only;
    return only;
}

ios_base::ios_base() noexcept
    : _M_precision(6), _M_width(0), _M_flags(skipws | dec), _M_exception(goodbit), _M_streambuf_state(goodbit),
      _M_callbacks(nullptr), _M_word_size(_S_local_word_size), _M_word(_M_local_word) {}

ios_base::~ios_base() {}

void ios_base::_M_init() noexcept {
    _M_precision = 6;
    _M_width = 0;
    _M_flags = skipws | dec;
}

locale ios_base::imbue(const locale&) noexcept { return locale(); }
bool ios_base::sync_with_stdio(bool) { return true; }
void ios_base::_M_call_callbacks(event) noexcept {}
void ios_base::_M_dispose_callbacks() noexcept {}

void ios_base::_M_move(ios_base& from) noexcept {
    _M_precision = from._M_precision;
    _M_width = from._M_width;
    _M_flags = from._M_flags;
    _M_exception = from._M_exception;
    _M_streambuf_state = from._M_streambuf_state;
}

template <> void basic_ios<char>::_M_cache_locale(const locale&) {}

template <> void basic_ios<char>::init(streambuf* buffer) {
    _M_init();
    _M_fill = ' ';
    _M_fill_init = true;
    _M_tie = nullptr;
    _M_exception = goodbit;
    _M_streambuf = buffer;
    _M_streambuf_state = buffer ? goodbit : badbit;
}

template <> char basic_ios<char>::widen(char c) const { return c; }
template <> char basic_ios<char>::narrow(char c, char) const { return c; }
template <> char basic_ios<char>::fill() const { return _M_fill; }
template <> locale basic_ios<char>::imbue(const locale&) { return locale(); }

// Writes a text, made as wide as the stream says.
template <> ostream& __ostream_insert(ostream& out, const char* text, streamsize length) {
    ostream::sentry ready(out);
    if (!ready) return out;
    streamsize missing = out.width() > length ? out.width() - length : 0;
    bool left = (out.flags() & ios_base::adjustfield) == ios_base::left;
    bool done = true;
    char fill = out.fill();
    for (streamsize i = 0; !left && i < missing; i++) done &= out.rdbuf()->sputc(fill) != EOF;
    done &= out.rdbuf()->sputn(text, length) == length;
    for (streamsize i = 0; left && i < missing; i++) done &= out.rdbuf()->sputc(fill) != EOF;
    if (out.width()) out.width(0);
    if (!done) out.setstate(ios_base::badbit);
    return out;
}

namespace {

// A number may be filled after its sign.
ostream& put_number(ostream& out, const char* text) {
    streamsize length = strlen(text), width = out.width();
    if ((out.flags() & ios_base::adjustfield) != ios_base::internal || width <= length) {
        return __ostream_insert(out, text, length);
    }
    string whole;
    streamsize sign = text[0] == '-' || text[0] == '+' ? 1 : text[0] == '0' && (text[1] | 32) == 'x' ? 2 : 0;
    whole.append(text, sign).append(width - length, out.fill()).append(text + sign);
    return __ostream_insert(out, whole.data(), whole.size());
}

ostream& put_integer(ostream& out, unsigned long long value, bool negative) {
    auto flags = out.flags();
    auto base = flags & ios_base::basefield;
    unsigned radix = base == ios_base::hex ? 16 : base == ios_base::oct ? 8 : 10;
    const char* digits = flags & ios_base::uppercase ? "0123456789ABCDEF" : "0123456789abcdef";
    char text[32];
    char* at = text + sizeof text;
    *--at = 0;
    unsigned long long rest = value;
    do *--at = digits[rest % radix];
    while (rest /= radix);
    if (flags & ios_base::showbase && value) {
        if (radix == 16) *--at = flags & ios_base::uppercase ? 'X' : 'x';
        if (radix != 10) *--at = '0';
    }
    if (negative) *--at = '-';
    else if (flags & ios_base::showpos && radix == 10) *--at = '+';
    return put_number(out, at);
}

template <class Integer> ostream& put_signed(ostream& out, Integer value) {
    auto base = out.flags() & ios_base::basefield;
    bool negative = value < 0 && base != ios_base::hex && base != ios_base::oct;
    make_unsigned_t<Integer> bits = value;
    return put_integer(out, negative ? make_unsigned_t<Integer>(-bits) : bits, negative);
}

ostream& put_real(ostream& out, double value) {
    auto flags = out.flags();
    auto kind = flags & ios_base::floatfield;
    char format[8], *at = format;
    *at++ = '%';
    if (flags & ios_base::showpos) *at++ = '+';
    if (flags & ios_base::showpoint) *at++ = '#';
    *at++ = '.';
    *at++ = '*';
    char letter = kind == ios_base::fixed ? 'f' : kind == ios_base::scientific ? 'e' : 'g';
    *at++ = flags & ios_base::uppercase ? letter - 32 : letter;
    *at = 0;
    char text[512];
    snprintf(text, sizeof text, format, int(out.precision()), value);
    return put_number(out, text);
}

} // namespace

template <> template <> ostream& ostream::_M_insert(long value) { return put_signed(*this, value); }
template <> template <> ostream& ostream::_M_insert(long long value) { return put_signed(*this, value); }
template <> template <> ostream& ostream::_M_insert(unsigned long value) { return put_integer(*this, value, false); }
template <> template <> ostream& ostream::_M_insert(unsigned long long value) { return put_integer(*this, value, false); }
template <> template <> ostream& ostream::_M_insert(double value) { return put_real(*this, value); }
template <> template <> ostream& ostream::_M_insert(long double value) { return put_real(*this, value); }

template <> template <> ostream& ostream::_M_insert(bool value) {
    if (!(flags() & boolalpha)) return put_integer(*this, value, false);
    return __ostream_insert(*this, value ? "true" : "false", value ? 4 : 5);
}

template <> template <> ostream& ostream::_M_insert(const void* value) {
    char text[32];
    snprintf(text, sizeof text, value ? "%p" : "0", value);
    return put_number(*this, text);
}

template <> istream::sentry::sentry(istream& in, bool keeps_space) : _M_ok(false) {
    if (in.tie() && in.good()) in.tie()->flush();
    if (in.good() && !keeps_space && in.flags() & ios_base::skipws) {
        int c = in.rdbuf()->sgetc();
        while (c == ' ' || c >= '\t' && c <= '\r') c = in.rdbuf()->snextc();
        if (c == EOF) in.setstate(ios_base::eofbit);
    }
    if (in.good()) _M_ok = true;
    else in.setstate(ios_base::failbit);
}

namespace {

// Reads as much of a word as belongs to a number.
string word_of(istream& in, const char* allowed) {
    string word;
    int c = in.rdbuf()->sgetc();
    while (c != EOF && (word.empty() ? strchr("+-", c) && c || strchr(allowed, c) && c : strchr(allowed, c) && c)) {
        word.push_back(c);
        c = in.rdbuf()->snextc();
    }
    if (c == EOF) in.setstate(ios_base::eofbit);
    return word;
}

template <class Number> istream& get_integer(istream& in, Number& value) {
    istream::sentry ready(in);
    if (!ready) return in;
    auto base = in.flags() & ios_base::basefield;
    int radix = base == ios_base::hex ? 16 : base == ios_base::oct ? 8 : 10;
    string word = word_of(in, radix == 16 ? "0123456789abcdefABCDEFxX" : radix == 8 ? "01234567" : "0123456789");
    char* end = nullptr;
    errno = 0;
    auto number = is_signed_v<Number> ? (unsigned long long)strtoll(word.c_str(), &end, radix)
                                      : strtoull(word.c_str(), &end, radix);
    value = number;
    bool fits = is_signed_v<Number> ? (long long)value == (long long)number : value == number;
    if (word.empty() || *end || errno || !fits) in.setstate(ios_base::failbit);
    return in;
}

template <class Number> istream& get_real(istream& in, Number& value) {
    istream::sentry ready(in);
    if (!ready) return in;
    string word = word_of(in, "0123456789.eE+-");
    char* end = nullptr;
    value = strtod(word.c_str(), &end);
    if (word.empty() || *end) in.setstate(ios_base::failbit);
    return in;
}

} // namespace

template <> template <> istream& istream::_M_extract(long& value) { return get_integer(*this, value); }
template <> template <> istream& istream::_M_extract(long long& value) { return get_integer(*this, value); }
template <> template <> istream& istream::_M_extract(unsigned long& value) { return get_integer(*this, value); }
template <> template <> istream& istream::_M_extract(unsigned long long& value) { return get_integer(*this, value); }
template <> template <> istream& istream::_M_extract(unsigned short& value) { return get_integer(*this, value); }
template <> template <> istream& istream::_M_extract(unsigned int& value) { return get_integer(*this, value); }
template <> template <> istream& istream::_M_extract(float& value) { return get_real(*this, value); }
template <> template <> istream& istream::_M_extract(double& value) { return get_real(*this, value); }
template <> istream& istream::operator>>(int& value) { return get_integer(*this, value); }
template <> istream& istream::operator>>(short& value) { return get_integer(*this, value); }

// A word.
template <> istream& operator>>(istream& in, string& text) {
    istream::sentry ready(in);
    if (!ready) return in;
    text.clear();
    int c = in.rdbuf()->sgetc();
    while (c != EOF && c != ' ' && !(c >= '\t' && c <= '\r')) {
        text.push_back(c);
        c = in.rdbuf()->snextc();
    }
    if (c == EOF) in.setstate(ios_base::eofbit);
    if (text.empty()) in.setstate(ios_base::failbit);
    return in;
}

template <> istream& getline(istream& in, string& text, char end) {
    istream::sentry ready(in, true);
    if (!ready) return in;
    text.clear();
    int c = in.rdbuf()->sbumpc();
    bool any = c != EOF;
    while (c != EOF && char(c) != end) {
        text.push_back(c);
        c = in.rdbuf()->sbumpc();
    }
    if (c == EOF) in.setstate(any ? ios_base::eofbit : ios_base::eofbit | ios_base::failbit);
    return in;
}

template <> istream& istream::ignore(streamsize count, int end) {
    sentry ready(*this, true);
    for (_M_gcount = 0; ready && _M_gcount < count; _M_gcount++) {
        int c = rdbuf()->sbumpc();
        if (c == EOF) setstate(ios_base::eofbit);
        if (c == EOF || c == end) break;
    }
    return *this;
}

template <> istream& istream::ignore(streamsize count) { return ignore(count, EOF); }

namespace {

// The standard streams print as those of C do, and there is nothing to read.
class Standard final : public streambuf {
public:
    explicit Standard(FILE* file) : file(file) {}

private:
    int overflow(int c) override { return c == EOF ? 0 : fputc(c, file); }
    streamsize xsputn(const char* text, streamsize length) override { return fwrite(text, 1, length, file); }
    int sync() override { return fflush(file); }

    FILE* file;
};

#define FIRST [[clang::no_destroy]] __attribute__((init_priority(101)))
FIRST Standard standard_output(stdout);
FIRST Standard standard_error(stderr);
FIRST Standard standard_input(stdin);

} // namespace

extern ostream cout, cerr, clog;
extern istream cin;
FIRST ostream cout(&standard_output);
FIRST ostream cerr(&standard_error);
FIRST ostream clog(&standard_error);
FIRST istream cin(&standard_input);

} // namespace std
