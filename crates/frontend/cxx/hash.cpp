// What unordered containers and std::hash leave to the library: hashes of bytes (MurmurHash64A, FNV-1a), and how many
// buckets there are.
#include <unordered_map>

namespace std {

namespace {

size_t load(const unsigned char* bytes, size_t count) {
    size_t result = 0;
    while (count--) result = result << 8 | bytes[count];
    return result;
}

size_t mix(size_t value) { return value ^ value >> 47; }

// The numbers of buckets that the library chooses from.
constexpr size_t few[] = {1, 2, 2, 3, 5, 5, 7, 7, 11, 11, 11, 11, 13, 13};
constexpr size_t many[] = {
    17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 103, 109, 113, 127, 137, 139, 149, 157, 167,
    179, 193, 199, 211, 227, 241, 257, 277, 293, 313, 337, 359, 383, 409, 439, 467, 503, 541, 577, 619, 661, 709, 761, 823,
    887, 953, 1031, 1109, 1193, 1289, 1381, 1493, 1613, 1741, 1879, 2029, 2179, 2357, 2549, 2753, 2971, 3209, 3469, 3739,
    4027, 4349, 4703, 5087, 5503, 5953, 6427, 6949, 7517, 8123, 8783, 9497, 10273, 11113, 12011, 12983, 14033, 15173,
    16411, 17749, 19183, 20753, 22447, 24281, 26267, 28411, 30727, 33223, 35933, 38873, 42043, 45481, 49201, 53201, 57557,
    62233, 67307, 72817, 78779, 85229, 92203, 99733, 107897, 116731, 126271, 136607, 147793, 159871, 172933, 187091,
    202409, 218971, 236897, 256279, 277261, 299951, 324503, 351061, 379787, 410857, 444487, 480881, 520241, 562841, 608903,
    658753, 712697, 771049, 834181, 902483, 976369, 1056323, 1142821, 1236397, 1337629, 1447153, 1565659, 1693859,
    1832561, 1982627, 2144977, 2320627, 2510653, 2716249, 2938679, 3179303, 3439651, 3721303, 4026031};

} // namespace

size_t _Hash_bytes(const void* start, size_t length, size_t seed) {
    const size_t factor = 0xc6a4a7935bd1e995;
    auto bytes = static_cast<const unsigned char*>(start);
    size_t hash = seed ^ length * factor;
    for (; length >= 8; length -= 8, bytes += 8) {
        hash = (hash ^ mix(load(bytes, 8) * factor) * factor) * factor;
    }
    if (length) hash = (hash ^ load(bytes, length)) * factor;
    return mix(mix(hash) * factor);
}

size_t _Fnv_hash_bytes(const void* start, size_t length, size_t hash) {
    auto bytes = static_cast<const unsigned char*>(start);
    for (size_t i = 0; i < length; i++) hash = (hash ^ bytes[i]) * 1099511628211u;
    return hash;
}

namespace __detail {

size_t _Prime_rehash_policy::_M_next_bkt(size_t least) const {
    if (least == 0) return 1;
    size_t found = least < 14 ? few[least] : 0;
    for (size_t i = 0; !found && i < sizeof many / sizeof *many; i++) {
        if (many[i] >= least) found = many[i];
    }
    if (!found) found = least | 1;
    _M_next_resize = __builtin_floor(found * (double)_M_max_load_factor);
    return found;
}

pair<bool, size_t> _Prime_rehash_policy::_M_need_rehash(size_t buckets, size_t elements, size_t added) const {
    size_t after = elements + added;
    if (after <= _M_next_resize) return {false, 0};
    size_t at_least = _M_next_resize || after > 11 ? after : 11;
    double needed = at_least / (double)_M_max_load_factor;
    if (needed < buckets) {
        _M_next_resize = __builtin_floor(buckets * (double)_M_max_load_factor);
        return {false, 0};
    }
    size_t room = (size_t)needed + 1, twice = buckets * 2;
    return {true, _M_next_bkt(room > twice ? room : twice)};
}

} // namespace __detail
} // namespace std
