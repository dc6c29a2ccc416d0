//! The steps of an execution as a table with a column for each thread, or, if there are too many
//! threads for the width, with one column that names the thread.

use super::TextStyle;
use crate::names::distinct_file;
use crate::trace::TraceStep;
use crate::walk::printed;
use crate::wrap::{Paint, wrap};

/// Narrower columns than this are hard to read.
const LEAST_WIDTH: usize = 17;
const GAP: usize = 2;
/// Of a very long execution, so many steps from its start and its end are shown.
const FIRST_STEPS: usize = 40;
const LAST_STEPS: usize = 160;

/// The table.
pub(crate) fn render(steps: &[TraceStep], style: TextStyle) -> String {
    let layout = Layout::of(steps, style.width);
    let mut out = layout.header(style);
    let left_out = steps.len().saturating_sub(FIRST_STEPS + LAST_STEPS);
    for step in &steps[..FIRST_STEPS.min(steps.len())] {
        layout.with_output(step, style, &mut out);
    }
    if left_out > 0 {
        out.push_str(&format!("      … {left_out} steps are left out; --format json has them\n"));
    }
    for step in steps.iter().skip(FIRST_STEPS + left_out) {
        layout.with_output(step, style, &mut out);
    }
    out
}

struct Layout {
    /// Thread ids and names in order of their columns.
    threads: Vec<(u32, String)>,
    /// Width of the column of line numbers.
    place: usize,
    /// The files, if lines are shown with them.
    files: Vec<String>,
    /// Width of each thread's column; `None`: threads are named in a column of their own.
    columns: Option<Vec<usize>>,
    /// Width of the column that names threads, if there is one.
    name: usize,
    /// Width of the last column, if threads are named.
    rest: usize,
}

impl Layout {
    fn of(steps: &[TraceStep], width: usize) -> Layout {
        let mut threads: Vec<(u32, String)> = Vec::new();
        for step in steps {
            if threads.iter().all(|(id, _)| *id != step.thread) {
                threads.push((step.thread, step.thread_name.clone()));
            }
        }
        threads.sort();
        let mut files: Vec<&str> =
            steps.iter().filter_map(|step| Some(step.spot.as_ref()?.file.as_str())).collect();
        files.sort_unstable();
        files.dedup();
        if files.len() < 2 {
            files.clear();
        }
        let files: Vec<String> = files.into_iter().map(str::to_owned).collect();
        let place = steps.iter().map(|step| place(step, &files).chars().count()).max().unwrap_or(0);
        let place = place.max("line".len());
        let used = NUMBER + GAP + place + GAP;
        let room = width.saturating_sub(used + GAP * (threads.len() - 1));
        let needs = threads.iter().map(|(id, name)| {
            let texts = steps.iter().filter(|step| step.thread == *id).map(text_of);
            texts.chain([name.clone()]).map(|text| text.chars().count()).max().unwrap_or(0)
        });
        let columns = share(room, &needs.collect::<Vec<_>>());
        let name = threads.iter().map(|(_, name)| name.chars().count()).max().unwrap_or(0).min(24);
        let rest = width.saturating_sub(used + name + GAP).max(LEAST_WIDTH);
        Layout { threads, place, files, columns, name, rest }
    }

    fn header(&self, style: TextStyle) -> String {
        let mut titles: Vec<Vec<String>> = Vec::new();
        let widths = match &self.columns {
            Some(widths) => {
                let names = self.threads.iter().map(|(_, name)| name);
                titles.extend(names.zip(widths).map(|(name, &width)| wrap(name, width)));
                widths.clone()
            }
            None => {
                titles.extend([vec!["thread".to_owned()], vec!["step".to_owned()]]);
                vec![self.name, self.rest]
            }
        };
        let height = titles.iter().map(Vec::len).max().unwrap_or(1);
        let mut out = String::new();
        for row in 0..height {
            let first = row == 0;
            let mut line = format!(
                "{:>NUMBER$}  {:>place$}",
                if first { "#" } else { "" },
                if first { "line" } else { "" },
                place = self.place
            );
            for (title, width) in titles.iter().zip(&widths) {
                let text = title.get(row).map_or("", String::as_str);
                line.push_str(&format!("  {text:<width$}"));
            }
            out.push_str(&Paint::Bold.apply(line.trim_end(), style.color));
            out.push('\n');
        }
        out
    }

    /// A step between what its thread has printed.
    fn with_output(&self, step: &TraceStep, style: TextStyle, out: &mut String) {
        out.push_str(&printed(step, step.printed.as_deref()));
        self.row(step, style, out);
        out.push_str(&printed(step, step.printed_after.as_deref()));
    }

    fn row(&self, step: &TraceStep, style: TextStyle, out: &mut String) {
        let text = text_of(step);
        let (indent, lines) = match &self.columns {
            Some(widths) => {
                let index = self.threads.iter().position(|(id, _)| *id == step.thread).unwrap_or(0);
                let indent = widths[..index].iter().map(|width| width + GAP).sum();
                (indent, wrap(&text, widths[index]))
            }
            None => (0, wrap(&text, self.rest)),
        };
        for (number, line) in lines.iter().enumerate() {
            let first = number == 0;
            let lead = match first {
                true => format!(
                    "{:>NUMBER$}  {:>w$}",
                    step.number,
                    place(step, &self.files),
                    w = self.place
                ),
                false => " ".repeat(NUMBER + GAP + self.place),
            };
            let name = match (&self.columns, first) {
                (Some(_), _) => String::new(),
                (None, true) => format!("{:<w$.w$}  ", step.thread_name, w = self.name),
                (None, false) => " ".repeat(self.name + GAP),
            };
            let line =
                if step.failing { Paint::Red.apply(line, style.color) } else { line.clone() };
            out.push_str(&format!("{lead}  {}{name}{line}\n", " ".repeat(indent)));
        }
    }
}

/// The step in words, with a mark if a note explains it.
fn text_of(step: &TraceStep) -> String {
    let mark = if step.note.is_some() { "*" } else { "" };
    format!("{}{mark}", step.text)
}

/// Shares `room` between columns: each gets what it needs, or as much as is left for it. `None` if a
/// column would become too narrow to read.
fn share(room: usize, needs: &[usize]) -> Option<Vec<usize>> {
    let mut order: Vec<usize> = (0..needs.len()).collect();
    order.sort_by_key(|&column| needs[column]);
    let mut widths = vec![0; needs.len()];
    let mut left = room;
    for (done, &column) in order.iter().enumerate() {
        let fair = left / (needs.len() - done);
        if fair < needs[column].min(LEAST_WIDTH) {
            return None;
        }
        widths[column] = needs[column].min(fair);
        left -= widths[column];
    }
    Some(widths)
}

/// Width of the column of step numbers.
const NUMBER: usize = 4;

/// The longest name of a file, and of one with directories, of which the end matters.
const FILE: [usize; 2] = [16, 24];

fn place(step: &TraceStep, files: &[String]) -> String {
    match &step.spot {
        Some(spot) if spot.line > 0 && !files.is_empty() => {
            let file = distinct_file(&spot.file, files.iter().map(String::as_str));
            let short: String = match file.contains('/') {
                false => file.chars().take(FILE[0]).collect(),
                true => {
                    let left_out = file.chars().count().saturating_sub(FILE[1]);
                    file.chars().skip(left_out).collect()
                }
            };
            format!("{short}:{}", spot.line)
        }
        Some(spot) if spot.line > 0 => spot.line.to_string(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::share;

    #[test]
    fn columns_get_what_they_need_and_share_the_rest() {
        assert_eq!(share(60, &[14, 50, 20]), Some(vec![14, 26, 20]));
        assert_eq!(share(60, &[14, 50, 50]), Some(vec![14, 23, 23]));
        assert_eq!(share(60, &[5, 5]), Some(vec![5, 5]));
        assert_eq!(share(60, &[40, 40, 40, 40]), None);
    }
}
