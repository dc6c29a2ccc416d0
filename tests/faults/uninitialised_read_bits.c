// norn: violation uninitialised_read line=8
// A bit-field that was never written is used.
struct bits { unsigned a : 3, b : 5, c : 24; };

int main(void) {
    struct bits bits;
    bits.a = 1;
    return bits.c == 2;
}
