//! A small language of concurrent C programs.
//!
//! A program has global objects of each kind, numbered from zero, and functions; function 0 is `main`.
//! Every statement does at most one thing that other threads can notice, so that a statement is a step of
//! the interpreter and the order of evaluation within an expression never matters: expressions speak
//! about the locals of their function alone.

/// Index of a function in [`Program::functions`].
pub type FunctionId = usize;

/// Index of a local variable of type `int`; local 0 is the argument, if there is one.
pub type Local = usize;

/// Index of a local variable of type `struct box *`.
pub type Pointer = usize;

/// Index of a global object among those of its kind.
pub type Index = usize;

/// A list of statements.
pub type Body = Vec<Statement>;

/// A program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// `atomic_int`: initial values.
    pub atomics: Vec<i32>,
    /// `int`: initial values.
    pub plains: Vec<i32>,
    /// `union word`: initial values.
    pub words: Vec<i32>,
    /// Arrays.
    pub arrays: Vec<Array>,
    /// `struct box *`, all null at first; whether it is atomic.
    pub boxes: Vec<bool>,
    /// Mutexes.
    pub mutexes: Vec<MutexKind>,
    /// How many reader-writer locks there are.
    pub rwlocks: usize,
    /// How many condition variables.
    pub conditions: usize,
    /// Semaphores: initial counts.
    pub semaphores: Vec<i32>,
    /// Barriers: how many threads meet.
    pub barriers: Vec<usize>,
    /// `pthread_once_t`: what is called.
    pub onces: Vec<FunctionId>,
    /// Keys of thread-specific values: the destructor.
    pub keys: Vec<Option<FunctionId>>,
    /// Whether the last atomic is one that threads only take from and give to.
    pub has_word: bool,
    /// Whether several threads may be alike. Then arguments of threads are 0 or 1, and `main` does not look at their
    /// results, so that no address becomes a number: that would tell threads apart.
    pub alike: bool,
    /// Functions.
    pub functions: Vec<Function>,
}

/// An array of `int` or `atomic_int`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Array {
    /// Whether its elements are atomic.
    pub atomic: bool,
    /// Initial values.
    pub values: Vec<i32>,
}

/// How a mutex treats its owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MutexKind {
    /// Locking twice is a deadlock.
    Normal,
    /// Locking twice is fine.
    Recursive,
    /// As [`MutexKind::Recursive`], by a static initialiser.
    StaticRecursive,
    /// Locking twice is an error code.
    ErrorCheck,
    /// As [`MutexKind::ErrorCheck`], by a static initialiser.
    StaticErrorCheck,
}

impl MutexKind {
    /// Whether the owner can lock it again.
    pub fn is_recursive(self) -> bool {
        matches!(self, MutexKind::Recursive | MutexKind::StaticRecursive)
    }

    /// Whether wrong use is an error code.
    pub fn is_checked(self) -> bool {
        matches!(self, MutexKind::ErrorCheck | MutexKind::StaticErrorCheck)
    }
}

/// A function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// What it is called for.
    pub role: Role,
    /// How many locals of type `int` it has, all zero at first.
    pub locals: usize,
    /// How many locals of type `struct box *` it has, all null at first.
    pub pointers: usize,
    /// How many locals of type `pthread_t` it has.
    pub handles: usize,
    /// What it does.
    pub body: Body,
}

/// What a function is called for, which decides its signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// `int main(void)`
    Main,
    /// `void *f(void *)`, started by `pthread_create`.
    Thread,
    /// `int f(int)`, called by other functions.
    Helper,
    /// `void f(void)`, called by `pthread_once`.
    Once,
    /// `void f(void *)`, called when a thread with a value ends.
    Destructor,
    /// `void f(void)`, registered with `atexit`.
    Handler,
}

impl Role {
    /// Whether local 0 is an argument.
    pub fn has_argument(self) -> bool {
        matches!(self, Role::Thread | Role::Helper | Role::Destructor)
    }
}

/// How an access is ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Not atomic.
    Plain,
    /// `memory_order_relaxed`
    Relaxed,
    /// `memory_order_acquire`
    Acquire,
    /// `memory_order_release`
    Release,
    /// `memory_order_acq_rel`
    AcqRel,
    /// `memory_order_seq_cst`
    SeqCst,
}

impl Mode {
    /// Whether a store or fence with this mode keeps earlier stores before it.
    pub fn releases(self) -> bool {
        matches!(self, Mode::Release | Mode::AcqRel | Mode::SeqCst)
    }
}

/// A function of locals; comparisons are 0 or 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expr {
    /// A constant.
    Const(i32),
    /// A local.
    Local(Local),
    /// Whether a pointer is not null.
    IsSet(Pointer),
    /// Two operands.
    Binary(Operator, Box<Expr>, Box<Expr>),
}

/// An operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `&`
    And,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Less,
}

impl Expr {
    /// Two operands.
    pub fn binary(operator: Operator, left: Expr, right: Expr) -> Expr {
        Expr::Binary(operator, Box::new(left), Box::new(right))
    }
}

/// Where an `int` lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A global `atomic_int`.
    Atomic(Index),
    /// A global `int`.
    Plain(Index),
    /// A global `union word`, or a half of it: 0 is the lower one. Atomic, or plain.
    Word(Index, Option<usize>, bool),
    /// An element of a global array.
    Element(Index, Expr),
    /// A field of a box: 0 is atomic, 1 is plain.
    Field(Pointer, usize),
}

/// What a read-modify-write writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RmwOp {
    /// The sum.
    Add,
    /// The operand.
    Exchange,
}

/// A statement. A field `to` takes the result; the others are named in the C text.
#[expect(missing_docs, reason = "the C text beside each statement says what its fields are")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    /// `to = value;`
    Assign { to: Local, value: Expr },
    /// Reads memory.
    Load { to: Local, from: Place, mode: Mode },
    /// Writes memory.
    Store { to: Place, value: Expr, mode: Mode },
    /// `to = atomic_fetch_add(place, value);` or `atomic_exchange`.
    Rmw { to: Local, place: Place, op: RmwOp, value: Expr, mode: Mode },
    /// `to = atomic_compare_exchange_strong(place, expected, desired);`
    Cas { to: Local, place: Place, expected: Expr, desired: Expr, mode: Mode },
    /// `atomic_thread_fence(mode);`
    Fence(Mode),
    /// `to = malloc(sizeof *to);` and both fields written.
    New { to: Pointer, values: [Expr; 2] },
    /// Reads a global pointer.
    LoadBox { to: Pointer, from: Index, mode: Mode },
    /// Writes a global pointer, null for none.
    StoreBox { to: Index, value: Option<Pointer>, mode: Mode },
    /// Exchanges a global pointer.
    SwapBox { to: Pointer, place: Index, value: Option<Pointer>, mode: Mode },
    /// `free(pointer);`
    Free(Pointer),
    /// `assert(condition);`
    Assert(Expr),
    /// `if (condition) … else …`
    If { condition: Expr, then: Body, otherwise: Body },
    /// `for (int i = 0; i < count; i++) …`
    Repeat { count: usize, body: Body },
    /// `while (place != value);`
    Await { place: Place, value: i32, mode: Mode },
    /// `while (atomic_exchange(place, value) == value);`: a test-and-set lock.
    TestAndSet { place: Place, value: i32, mode: Mode },
    /// `while ((place & mask) != value);`
    AwaitBits { place: Place, mask: i32, value: i32, mode: Mode },
    /// `do seen = first; while (seen != second);`: two reads in each round.
    AwaitSame { first: Place, second: Place, mode: Mode },
    /// `do seen = expected; while (!atomic_compare_exchange_strong(place, &seen, desired));`
    AwaitCas { place: Place, expected: i32, desired: i32, mode: Mode },
    /// `while (atomic_fetch_sub(place, taken) <= above) atomic_fetch_add(place, taken);`. If it `waits`, the first try stands
    /// before the loop, and before the next it waits for more than `above`.
    TakeBack { place: Place, taken: i32, above: i32, mode: Mode, waits: bool },
    /// `do kept = place; while (kept != value);`, where `kept` lies in memory that only the thread uses. If it looks `before`,
    /// each iteration begins with `before = kept`.
    AwaitKept { place: Place, value: i32, kept: Local, before: Option<Local>, mode: Mode },
    /// `while (atomic_load(place) <= above);`
    AwaitAbove { place: Place, above: i32, mode: Mode },
    /// `atomic_fetch_add(place, value);`
    Give { place: Place, value: i32, mode: Mode },
    /// `while (pthread_mutex_trylock(mutex) != 0);`
    AwaitLock(Index),
    /// `to = pthread_mutex_lock(mutex);`
    Lock { mutex: Index, to: Option<Local> },
    /// `to = pthread_mutex_trylock(mutex);`
    TryLock { mutex: Index, to: Local },
    /// `to = pthread_mutex_timedlock(mutex, …);`
    TimedLock { mutex: Index, to: Local },
    /// `to = pthread_mutex_unlock(mutex);`
    Unlock { mutex: Index, to: Option<Local> },
    /// `to = pthread_rwlock_…lock(lock);`
    RwLock { lock: Index, write: bool, patience: Patience, to: Option<Local> },
    /// `pthread_rwlock_unlock(lock);`
    RwUnlock(Index),
    /// `to = pthread_cond_wait(…);` or `pthread_cond_timedwait`.
    Wait { condition: Index, mutex: Index, timed: bool, to: Option<Local> },
    /// `while (plain == value) pthread_cond_wait(condition, mutex);`
    WaitWhile { plain: Index, value: i32, condition: Index, mutex: Index },
    /// `pthread_cond_signal` or `pthread_cond_broadcast`.
    Notify { condition: Index, all: bool },
    /// `to = sem_wait(semaphore) == 0;`, `sem_trywait` or `sem_timedwait`.
    SemWait { semaphore: Index, patience: Patience, to: Option<Local> },
    /// `sem_post(semaphore);`
    SemPost(Index),
    /// `sem_getvalue(semaphore, &to);`
    SemValue { semaphore: Index, to: Local },
    /// `to = pthread_barrier_wait(barrier) == PTHREAD_BARRIER_SERIAL_THREAD;`
    Barrier { barrier: Index, to: Option<Local> },
    /// `pthread_once(once, …);`
    Once(Index),
    /// `pthread_setspecific(key, value);`
    SetKey { key: Index, value: Expr },
    /// `to = pthread_getspecific(key);`
    GetKey { to: Local, key: Index },
    /// `pthread_create(&handle, 0, thread, argument);`
    Create { handle: usize, thread: FunctionId, argument: Expr },
    /// `pthread_join(handle, &to);`
    Join { handle: usize, to: Option<Local> },
    /// `to = function(argument);`
    Call { to: Local, function: FunctionId, argument: Expr },
    /// `atexit(function);`
    AtExit(FunctionId),
    /// `exit(0);`
    Exit,
    /// `pthread_exit(value);`
    ThreadExit(Expr),
    /// `return value;`
    Return(Expr),
    /// `printf("%d …", values);`
    Print(Vec<Expr>),
}

/// What to do when a lock or semaphore is not free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Patience {
    /// Wait.
    Wait,
    /// Give up.
    Try,
    /// Wait for some time.
    Timed,
}

impl Program {
    /// Whether there is such a statement anywhere.
    pub fn has(&self, is_wanted: &dyn Fn(&Statement) -> bool) -> bool {
        fn within(body: &Body, is_wanted: &dyn Fn(&Statement) -> bool) -> bool {
            body.iter().any(|statement| match statement {
                Statement::If { then, otherwise, .. } => {
                    within(then, is_wanted) || within(otherwise, is_wanted)
                }
                Statement::Repeat { body, .. } => within(body, is_wanted),
                simple => is_wanted(simple),
            })
        }
        self.functions.iter().any(|function| within(&function.body, is_wanted))
    }
}
