//! The function that a program starts with.

use crate::error::InputError;
use norn_program::{FunctionId, Program};

/// The function of this name, of C or of C++.
pub(crate) fn entry_function(program: &Program, name: &str) -> Result<FunctionId, InputError> {
    let find = |name: &str| program.function_named(name);
    let Some(id) = find(name).or_else(|| mangled(name).iter().find_map(|name| find(name))) else {
        return Err(InputError::Refused(format!(
            "--entry: the program defines no function `{name}` without parameters"
        )));
    };
    if name != "main" && program.functions[id.index()].params > 0 {
        return Err(InputError::Refused(format!(
            "--entry: `{name}` has parameters; write a function without any that calls it"
        )));
    }
    Ok(id)
}

/// What a C++ function without parameters is called in the compiled program: one of these, by whether it is static.
fn mangled(name: &str) -> Vec<String> {
    let name = name.strip_suffix("()").unwrap_or(name);
    let parts: Vec<String> = name
        .split("::")
        .filter(|part| !part.is_empty())
        .map(|part| match part {
            "(anonymous namespace)" => "12_GLOBAL__N_1".to_owned(),
            part => format!("{}{part}", part.len()),
        })
        .collect();
    match &parts[..] {
        [] => Vec::new(),
        [only] => vec![format!("_Z{only}v"), format!("_ZL{only}v")],
        [outer @ .., last] => {
            let outer = outer.concat();
            vec![format!("_ZN{outer}{last}Ev"), format!("_ZN{outer}L{last}Ev")]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::mangled;

    #[test]
    fn names_of_cxx_become_those_of_the_compiled_program() {
        assert_eq!(mangled("tests::queue"), ["_ZN5tests5queueEv", "_ZN5testsL5queueEv"]);
        assert_eq!(mangled("queue()"), ["_Z5queuev", "_ZL5queuev"]);
        assert_eq!(mangled("(anonymous namespace)::queue")[0], "_ZN12_GLOBAL__N_15queueEv");
        assert!(mangled("::").is_empty());
    }
}
