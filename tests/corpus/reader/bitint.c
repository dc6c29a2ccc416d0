// Integers wider than any register, and odd widths.
_BitInt(37) odd(_BitInt(37) a) { return a * 3; }
#if __clang_major__ >= 16
unsigned _BitInt(96) wide = 79228162514264337593543950335uwb;
unsigned _BitInt(96) add(unsigned _BitInt(96) a) { return a + wide; }
#endif
#if __BITINT_MAXWIDTH__ >= 256
_BitInt(256) huge = -5wb;
_BitInt(256) multiply(_BitInt(256) a) { return a * huge + 115792089237316195423570985008687907853wb; }
#endif
