int common_like;
extern int elsewhere;
static int mine = 3;
__attribute__((weak)) int weak_variable = 4;
__attribute__((weak)) int weak_function(void) { return 1; }
extern int maybe(void) __attribute__((weak));
static inline int helper(int x) { return x + mine; }
int target(void) { return 5; }
int other(void) __attribute__((alias("target")));
__attribute__((visibility("hidden"))) int hidden_variable;
__attribute__((section("special"), aligned(64))) int placed = 1;
static int resolver_target(void) { return 1; }
static int (*resolve(void))(void) { return resolver_target; }
int indirect(void) __attribute__((ifunc("resolve")));
__attribute__((constructor)) static void start(void) { mine++; }
__attribute__((destructor(200))) static void stop(void) { mine--; }
__attribute__((noreturn)) void die(void);
__attribute__((used)) static int kept;
int use(void) { return elsewhere + helper(weak_function()) + (maybe ? maybe() : 0) + other() + indirect(); }
