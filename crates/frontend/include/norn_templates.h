/* Read before every C++ file. GNU's C++ library declares the templates that it keeps compiled (strings,
   allocators) as external; without that declaration they are compiled with the program, and can be
   checked with it. */
#if defined(__cplusplus) && __has_include(<bits/c++config.h>)
#include <bits/c++config.h>
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE 0
#endif
