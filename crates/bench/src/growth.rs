//! How the cost of an execution grows with its size.
//!
//! The claim to check: it grows no faster than the square of the number of events.

use crate::fit::exponent;
use crate::{Record, Row};
use std::fmt;

/// A program under one model with one algorithm, at several sizes.
#[derive(Clone, Debug)]
pub struct Series<'a> {
    /// The program, the model and the algorithm.
    pub title: String,
    /// Its rows that finished, from the smallest graph to the largest.
    pub rows: Vec<&'a Row>,
}

/// What was fitted to the points of a series.
#[derive(Clone, Debug, PartialEq)]
pub struct Growth {
    /// The program, the model and the algorithm.
    pub title: String,
    /// The events of the smallest and of the largest graph.
    pub events: (u64, u64),
    /// The exponent for instructions.
    pub instructions: Option<Fit>,
    /// The exponent for time on a processor.
    pub nanoseconds: Option<Fit>,
}

/// How a series grows: overall, and where it is largest. What grows faster and faster shows in the latter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// The exponent that fits all points best.
    pub overall: f64,
    /// The exponent between the last two points.
    pub at_the_end: f64,
}

impl fmt::Display for Fit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.2}, {:.2} at the end", self.overall, self.at_the_end)
    }
}

impl Fit {
    /// Fits points in ascending order.
    fn of(points: &[(f64, f64)]) -> Option<Fit> {
        let [.., before, last] = points else { return None };
        let at_the_end = exponent(&[*before, *last])?;
        let overall = exponent(points)?;
        (points.len() >= FEWEST).then_some(Fit { overall, at_the_end })
    }
}

/// Fewer points than this are no series.
const FEWEST: usize = 3;

/// The rows of a record that are about growth, by series.
pub fn series(record: &Record) -> Vec<Series<'_>> {
    let mut found: Vec<Series<'_>> = Vec::new();
    for row in record.rows.iter().filter(|row| row.growth && row.measured().is_some()) {
        let title = format!("{}, {}, {}", row.program, row.model, row.algorithm);
        match found.iter_mut().find(|series| series.title == title) {
            Some(series) => series.rows.push(row),
            None => found.push(Series { title, rows: vec![row] }),
        }
    }
    for series in &mut found {
        series.rows.sort_by_key(|row| row.measured().map(|measured| measured.largest_graph));
    }
    found
}

impl Series<'_> {
    /// Events and instructions of each execution.
    pub fn instructions(&self) -> Vec<(f64, f64)> {
        self.points(|row| row.instructions.map(|number| number as f64))
    }

    /// Events and nanoseconds of each execution.
    pub fn nanoseconds(&self) -> Vec<(f64, f64)> {
        self.points(|row| row.measured()?.nanoseconds_each())
    }

    fn points(&self, cost: impl Fn(&Row) -> Option<f64>) -> Vec<(f64, f64)> {
        let point = |row: &&Row| Some((row.measured()?.largest_graph as f64, cost(row)?));
        self.rows.iter().filter_map(point).collect()
    }
}

/// The exponents of all series.
pub fn growths(record: &Record) -> Vec<Growth> {
    let growth = |series: Series<'_>| {
        let events = |row: Option<&&Row>| Some(row?.measured()?.largest_graph);
        let events = (events(series.rows.first())?, events(series.rows.last())?);
        let instructions = Fit::of(&series.instructions());
        let nanoseconds = Fit::of(&series.nanoseconds());
        let known = instructions.is_some() || nanoseconds.is_some();
        known.then_some(Growth { title: series.title, events, instructions, nanoseconds })
    };
    series(record).into_iter().filter_map(growth).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::tests::{record, row};

    #[test]
    fn what_grows_faster_and_faster_shows_at_the_end() {
        let points = [(1.0, 1.0), (10.0, 10.0), (100.0, 10_000.0)];
        let fit = Fit::of(&points).expect("a fit");
        assert!((fit.overall - 2.0).abs() < 1e-9 && (fit.at_the_end - 3.0).abs() < 1e-9);
        assert_eq!(Fit::of(&points[1..]), None);
    }

    #[test]
    fn the_rows_of_a_series_are_fitted_together() {
        let mut rows = Vec::new();
        for size in [4, 2, 8] {
            let mut row = row("p", size, "trust", 100);
            row.instructions = Some(10 * u64::from(size).pow(2));
            rows.push(row);
        }
        let mut other = row("p", 9, "rf", 1);
        other.instructions = Some(1);
        rows.push(other);
        let mut unmarked = row("p", 16, "trust", 100);
        (unmarked.growth, unmarked.instructions) = (false, Some(1));
        rows.push(unmarked);
        let record = record(rows);
        let found = growths(&record);
        assert_eq!(found.len(), 1, "one point is no series: {found:?}");
        assert_eq!((&*found[0].title, found[0].events), ("p, sc, trust", (6, 24)));
        let fit = found[0].instructions.expect("a fit");
        assert_eq!(fit.to_string(), "2.00, 2.00 at the end");
        assert!(found[0].nanoseconds.expect("a fit").overall.abs() < 1e-9);
    }
}
