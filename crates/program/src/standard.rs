//! The exception classes of the C++ standard library, whose vtables and descriptions lie in its shared object.
//!
//! The front end declares those that a program can meet ([`StandardClass::thrown_by`]), and the machine makes and
//! throws objects of them. Names are mangled as in the Itanium C++ ABI, without the prefix of what is named.

/// A class that is derived from `std::exception`, or that class itself.
#[derive(Clone, Copy, Debug)]
pub struct StandardClass {
    /// Its mangled name.
    pub name: &'static str,
    /// The mangled name of its base class.
    pub base: Option<&'static str>,
    /// What its function `what` says, unless each object has a text of its own or the base class has the function.
    pub says: Option<&'static str>,
    /// Whether objects keep a text: a pointer to it lies behind the vtable's.
    pub keeps_text: bool,
    /// Whether it has a function `what` of its own.
    pub has_what: bool,
}

const fn plain(name: &'static str, base: &'static str, says: &'static str) -> StandardClass {
    StandardClass { name, base: Some(base), says: Some(says), keeps_text: false, has_what: true }
}

const fn with_text(name: &'static str, base: &'static str, has_what: bool) -> StandardClass {
    StandardClass { name, base: Some(base), says: None, keeps_text: true, has_what }
}

/// All of them, base classes first.
pub const STANDARD_CLASSES: [StandardClass; 18] = [
    StandardClass {
        name: "St9exception",
        base: None,
        says: Some("std::exception"),
        keeps_text: false,
        has_what: true,
    },
    plain("St13bad_exception", "St9exception", "std::bad_exception"),
    plain("St9bad_alloc", "St9exception", "std::bad_alloc"),
    plain("St20bad_array_new_length", "St9bad_alloc", "std::bad_array_new_length"),
    plain("St8bad_cast", "St9exception", "std::bad_cast"),
    plain("St10bad_typeid", "St9exception", "std::bad_typeid"),
    plain("St17bad_function_call", "St9exception", "bad_function_call"),
    plain("St12bad_weak_ptr", "St9exception", "bad_weak_ptr"),
    with_text("St11logic_error", "St9exception", true),
    with_text("St12domain_error", "St11logic_error", false),
    with_text("St16invalid_argument", "St11logic_error", false),
    with_text("St12length_error", "St11logic_error", false),
    with_text("St12out_of_range", "St11logic_error", false),
    with_text("St13runtime_error", "St9exception", true),
    with_text("St11range_error", "St13runtime_error", false),
    with_text("St14overflow_error", "St13runtime_error", false),
    with_text("St15underflow_error", "St13runtime_error", false),
    with_text("St12system_error", "St13runtime_error", false),
];

/// Functions of the library that throw, and what.
const THROWERS: [(&str, &str); 23] = [
    ("_ZNSt3_V216generic_categoryEv", "St12system_error"),
    ("_Znwm", "St9bad_alloc"),
    ("_Znam", "St9bad_alloc"),
    ("_ZnwmSt11align_val_t", "St9bad_alloc"),
    ("_ZnamSt11align_val_t", "St9bad_alloc"),
    ("_ZSt17__throw_bad_allocv", "St9bad_alloc"),
    ("__cxa_throw_bad_array_new_length", "St20bad_array_new_length"),
    ("_ZSt28__throw_bad_array_new_lengthv", "St20bad_array_new_length"),
    ("__cxa_bad_cast", "St8bad_cast"),
    ("_ZSt16__throw_bad_castv", "St8bad_cast"),
    ("__cxa_bad_typeid", "St10bad_typeid"),
    ("_ZSt25__throw_bad_function_callv", "St17bad_function_call"),
    ("_ZSt19__throw_logic_errorPKc", "St11logic_error"),
    ("_ZSt20__throw_domain_errorPKc", "St12domain_error"),
    ("_ZSt24__throw_invalid_argumentPKc", "St16invalid_argument"),
    ("_ZSt20__throw_length_errorPKc", "St12length_error"),
    ("_ZSt20__throw_out_of_rangePKc", "St12out_of_range"),
    ("_ZSt24__throw_out_of_range_fmtPKcz", "St12out_of_range"),
    ("_ZSt21__throw_runtime_errorPKc", "St13runtime_error"),
    ("_ZSt22__throw_overflow_errorPKc", "St14overflow_error"),
    ("_ZSt20__throw_system_errori", "St12system_error"),
    ("_ZNSt6thread4joinEv", "St12system_error"),
    ("_ZNSt6thread6detachEv", "St12system_error"),
];

/// The category of error codes that [`StandardClass`] `std::system_error` has: the name of its variable.
pub const GENERIC_CATEGORY: &str = "norn.generic_category";
/// Its functions that say its name, and what an error code means.
pub const CATEGORY_NAME: &str = "norn.generic_category.name";
/// Likewise.
pub const CATEGORY_MESSAGE: &str = "norn.generic_category.message";
/// Its functions that compare codes and conditions: the condition of a code, a code and a condition, an error code and
/// a number.
pub const CATEGORY_COMPARES: [&str; 3] = [
    "norn.generic_category.condition",
    "norn.generic_category.fits_condition",
    "norn.generic_category.fits_code",
];

impl StandardClass {
    /// The class of this mangled name.
    pub fn named(name: &str) -> Option<&'static StandardClass> {
        STANDARD_CLASSES.iter().find(|class| class.name == name)
    }

    /// The class of which a function of the library throws or makes objects.
    pub fn thrown_by(function: &str) -> Option<&'static StandardClass> {
        if let Some((_, class)) = THROWERS.iter().find(|(name, _)| *name == function) {
            return StandardClass::named(class);
        }
        let member = function.strip_prefix("_ZNK").or_else(|| function.strip_prefix("_ZN"))?;
        STANDARD_CLASSES.iter().find(|class| {
            let rest = member.strip_prefix(class.name);
            rest.is_some_and(|rest| rest.starts_with(['C', 'D', 'a', '4']))
        })
    }

    /// The name of the variable that holds what it says.
    pub fn text_name(&self) -> String {
        format!("norn.what.{}", self.name)
    }

    /// The name of the function `what` that its objects have, its own or that of a base class.
    pub fn what_name(&self) -> String {
        let mut class = self;
        while !class.has_what {
            let Some(base) = class.base.and_then(StandardClass::named) else { break };
            class = base;
        }
        format!("_ZNK{}4whatEv", class.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bases_come_first_and_functions_know_their_class() {
        for (index, class) in STANDARD_CLASSES.iter().enumerate() {
            let length: String = class.name[2..].chars().take_while(char::is_ascii_digit).collect();
            let rest = class.name.len() - 2 - length.len();
            assert_eq!(length.parse(), Ok(rest), "{}", class.name);
            let base = class.base.map(|base| {
                STANDARD_CLASSES.iter().position(|other| other.name == base).expect("a class")
            });
            assert!(base.is_none_or(|base| base < index), "{}", class.name);
        }
        let of = |function| StandardClass::thrown_by(function).map(|class| class.name);
        assert_eq!(of("_Znwm"), Some("St9bad_alloc"));
        assert_eq!(of("_ZNSt13runtime_errorC1EPKc"), Some("St13runtime_error"));
        assert_eq!(of("_ZNKSt9exception4whatEv"), Some("St9exception"));
        assert_eq!(of("_ZNSt6thread20hardware_concurrencyEv"), None);
        assert!(THROWERS.iter().all(|(_, class)| StandardClass::named(class).is_some()));
        let range = StandardClass::named("St12out_of_range").expect("a class");
        assert_eq!(range.what_name(), "_ZNKSt11logic_error4whatEv");
    }
}
