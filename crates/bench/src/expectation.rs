//! What a program says of itself: lines such as `// norn: model=sc N=10 executions=3328`.

use norn_models::ModelName;

/// One such line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expectation {
    /// The model.
    pub model: ModelName,
    /// The size parameter, passed as `-DN=…`.
    pub size: Option<u32>,
    /// How many executions there are.
    pub executions: u64,
}

/// The expectations in the text of a program. A line that cannot be read is an error that says why.
pub fn expectations(text: &str) -> Result<Vec<Expectation>, String> {
    text.lines().filter_map(|line| line.strip_prefix("// norn: ")).map(parse).collect()
}

fn parse(line: &str) -> Result<Expectation, String> {
    let (mut model, mut size, mut executions) = (None, None, None);
    for word in line.split_whitespace() {
        let number = |text: &str| text.parse().map_err(|_| format!("`{text}` is not a number"));
        match word.split_once('=') {
            Some(("model", name)) => model = Some(name.parse()?),
            Some(("N", n)) => size = Some(number(n)? as u32),
            Some(("executions", n)) => executions = Some(number(n)?),
            _ => return Err(format!("`{word}` is none of model=, N=, executions=")),
        }
    }
    match (model, executions) {
        (Some(model), Some(executions)) => Ok(Expectation { model, size, executions }),
        _ => Err(format!("`{line}` needs model= and executions=")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read() {
        let text = "// a program\n// norn: model=sc N=5 executions=64\nint x;\n";
        let expected = Expectation { model: ModelName::Sc, size: Some(5), executions: 64 };
        assert_eq!(expectations(text), Ok(vec![expected]));
    }

    #[test]
    fn a_line_that_says_something_else_is_an_error() {
        assert!(expectations("// norn: model=sc executoins=64\n").is_err());
        assert!(expectations("// norn: model=sc\n").is_err());
    }
}
