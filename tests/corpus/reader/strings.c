const char *plain = "hello";
char escaped[] = "quote\" back\\ nul\0 tab\t high\xff newline\n";
char fixed[10] = "abc";
static const char *const table[] = {"a", "bb", "", 0};
const unsigned short utf16[] = u"wide \u00e4";
const unsigned utf32[] = U"\U0001F600";
char matrix[2][3] = {"ab", "cd"};
const char *pick(int i) { return table[i] ? table[i] : plain + 1; }
