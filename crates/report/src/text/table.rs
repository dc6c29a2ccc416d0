//! The steps of an execution as a table with a column for each thread, or, if there are too many
//! threads for the width, with one column that names the thread.

use super::TextStyle;
use crate::trace::Step;
use crate::wrap::{Paint, wrap};

/// Narrower columns than this are hard to read.
const LEAST_WIDTH: usize = 17;
const GAP: usize = 2;

/// The table.
pub(crate) fn render(steps: &[Step], style: TextStyle) -> String {
    let layout = Layout::of(steps, style.width);
    let mut out = layout.header(style);
    for step in steps {
        layout.row(step, style, &mut out);
    }
    out
}

struct Layout {
    /// Thread ids and names in order of their columns.
    threads: Vec<(u32, String)>,
    /// Width of the column of line numbers.
    place: usize,
    /// Whether lines are shown with their file.
    files: bool,
    /// Width of each column of text; `None`: threads are named in a column of their own.
    column: Option<usize>,
    /// Width of the column that names threads, if there is one.
    name: usize,
    /// Width of the last column, if threads are named.
    rest: usize,
}

impl Layout {
    fn of(steps: &[Step], width: usize) -> Layout {
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
        let files = files.len() > 1;
        let place = steps.iter().map(|step| place(step, files).chars().count()).max().unwrap_or(0);
        let place = place.max("line".len());
        let used = NUMBER + GAP + place + GAP;
        let share = width.saturating_sub(used + GAP * (threads.len() - 1)) / threads.len();
        let column = (share >= LEAST_WIDTH).then_some(share);
        let name = threads.iter().map(|(_, name)| name.chars().count()).max().unwrap_or(0).min(24);
        let rest = width.saturating_sub(used + name + GAP).max(LEAST_WIDTH);
        Layout { threads, place, files, column, name, rest }
    }

    fn header(&self, style: TextStyle) -> String {
        let mut titles: Vec<Vec<String>> = Vec::new();
        match self.column {
            Some(width) => titles.extend(self.threads.iter().map(|(_, name)| wrap(name, width))),
            None => titles.extend([vec!["thread".to_owned()], vec!["step".to_owned()]]),
        }
        let widths = match self.column {
            Some(width) => vec![width; self.threads.len()],
            None => vec![self.name, self.rest],
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

    fn row(&self, step: &Step, style: TextStyle, out: &mut String) {
        let mark = if step.note.is_some() { "*" } else { "" };
        let text = format!("{}{mark}", step.text);
        let (indent, lines) = match self.column {
            Some(width) => {
                let index = self.threads.iter().position(|(id, _)| *id == step.thread);
                (index.unwrap_or(0) * (width + GAP), wrap(&text, width))
            }
            None => (0, wrap(&text, self.rest)),
        };
        for (number, line) in lines.iter().enumerate() {
            let first = number == 0;
            let lead = match first {
                true => format!(
                    "{:>NUMBER$}  {:>w$}",
                    step.step,
                    place(step, self.files),
                    w = self.place
                ),
                false => " ".repeat(NUMBER + GAP + self.place),
            };
            let name = match (self.column, first) {
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

/// Width of the column of step numbers.
const NUMBER: usize = 4;

fn place(step: &Step, files: bool) -> String {
    match &step.spot {
        Some(spot) if spot.line > 0 && files => {
            let file = spot.file.rsplit('/').next().unwrap_or(&spot.file);
            let short: String = file.chars().take(16).collect();
            format!("{short}:{}", spot.line)
        }
        Some(spot) if spot.line > 0 => spot.line.to_string(),
        _ => String::new(),
    }
}
