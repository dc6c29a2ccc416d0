//! The plots of a record, as the papers have them.

use crate::plot::{Figure, Guide, Panel, Scale, Series, Unit};
use crate::{Measurement, Record, Row, growth};

/// File names and drawings: each program against its size, each algorithm against each other, the cost
/// of an execution against its events.
pub fn figures(record: &Record) -> Vec<(String, String)> {
    let figures = sizes(record).into_iter().chain(scatters(record)).chain(cost(record));
    figures.map(|(name, figure)| (format!("{name}.svg"), figure.render())).collect()
}

/// Values of a row that can be plotted.
type Value = fn(&Row) -> Option<f64>;

/// Nothing where not all executions were looked at: that is not to be compared.
fn whole(row: &Row) -> Option<&Measurement> {
    row.measured().filter(|_| row.limit.is_none())
}

fn executions(row: &Row) -> Option<f64> {
    whole(row).map(|measured| measured.executions as f64)
}

fn seconds(row: &Row) -> Option<f64> {
    whole(row).map(|measured| measured.seconds)
}

const VALUES: [(&str, Unit, Value); 2] =
    [("executions", Unit::Count, executions), ("seconds", Unit::Seconds, seconds)];

/// The items without repetition, in order.
fn distinct<T: PartialEq>(items: impl Iterator<Item = T>) -> Vec<T> {
    let mut found = Vec::new();
    for item in items {
        if !found.contains(&item) {
            found.push(item);
        }
    }
    found
}

/// Executions and seconds against the size, for each program with more than one size.
fn sizes(record: &Record) -> Vec<(String, Figure)> {
    let mut figures = Vec::new();
    for program in distinct(record.rows.iter().map(|row| &row.program)) {
        let rows: Vec<&Row> = record
            .rows
            .iter()
            .filter(|row| row.program == *program && row.size.is_some() && whole(row).is_some())
            .collect();
        if distinct(rows.iter().map(|row| row.size)).len() > 1 {
            let panels = VALUES.map(|value| size_panel(&rows, value)).to_vec();
            figures.push((program.clone(), Figure { title: program.clone(), panels }));
        }
    }
    figures
}

fn size_panel(rows: &[&Row], (y_name, unit, value): (&str, Unit, Value)) -> Panel {
    let name = |row: &Row| format!("{}, {}", row.model, row.algorithm);
    let mut series: Vec<Series> = Vec::new();
    for name_of_series in distinct(rows.iter().map(|row| name(row))) {
        let of_series = rows.iter().filter(|row| name(row) == name_of_series);
        let mut points: Vec<(f64, f64, String)> = of_series
            .filter_map(|row| Some((f64::from(row.size?), value(row)?, row.title())))
            .collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        series.push(Series { name: name_of_series, points, joined: true });
    }
    let x = Scale::linear(Unit::Count, all(&series, |point| point.0));
    let y = Scale::logarithmic(unit, all(&series, |point| point.1));
    let (x_name, y_name) = ("N".to_owned(), y_name.to_owned());
    Panel { x_name, y_name, x, y, series, guides: Vec::new() }
}

fn all(series: &[Series], value: fn(&(f64, f64, String)) -> f64) -> Vec<f64> {
    series.iter().flat_map(|series| &series.points).map(value).collect()
}

/// Each pair of algorithms, and each algorithm and each peer, on the runs that both finished.
fn scatters(record: &Record) -> Vec<(String, Figure)> {
    let algorithms = distinct(record.rows.iter().map(|row| row.algorithm.as_str()));
    let mut figures = Vec::new();
    for (index, first) in algorithms.iter().enumerate() {
        for second in &algorithms[index + 1..] {
            let panels = VALUES.map(|value| algorithm_panel(record, first, second, value)).to_vec();
            add_scatter(&mut figures, first, second, panels);
        }
        for peer in distinct(record.rows.iter().flat_map(|row| &row.peers).map(|run| &run.name)) {
            let panels = vec![peer_panel(record, first, peer)];
            add_scatter(&mut figures, first, peer, panels);
        }
    }
    figures
}

fn add_scatter(figures: &mut Vec<(String, Figure)>, first: &str, second: &str, panels: Vec<Panel>) {
    if panels.iter().all(|panel| panel.series.iter().any(|series| !series.points.is_empty())) {
        let name = format!("{first}-against-{second}");
        let name = name.replace(|c: char| !c.is_ascii_alphanumeric() && c != '-', "_");
        let title = format!("{first} against {second}");
        figures.push((name, Figure { title, panels }));
    }
}

fn algorithm_panel(
    record: &Record,
    first: &str,
    second: &str,
    (what, unit, value): (&str, Unit, Value),
) -> Panel {
    let point = |row: &Row| {
        let same = |other: &&Row| {
            other.algorithm == second
                && (&other.program, other.size, &other.model)
                    == (&row.program, row.size, &row.model)
        };
        let other = record.rows.iter().find(same)?;
        Some((value(row)?, value(other)?))
    };
    let names = (format!("{what}, {first}"), format!("{what}, {second}"));
    scatter(record, first, unit, names, point)
}

fn peer_panel(record: &Record, algorithm: &str, peer: &str) -> Panel {
    let point = |row: &Row| {
        let run = row.peers.iter().find(|run| run.name == peer)?;
        whole(row)?;
        Some((row.process_seconds()?, run.seconds?))
    };
    let names = (format!("seconds, {algorithm}"), format!("seconds, {peer}"));
    scatter(record, algorithm, Unit::Seconds, names, point)
}

/// The points of the rows of an algorithm, a series for each model.
fn scatter(
    record: &Record,
    algorithm: &str,
    unit: Unit,
    (x_name, y_name): (String, String),
    point: impl Fn(&Row) -> Option<(f64, f64)>,
) -> Panel {
    let mut series: Vec<Series> = Vec::new();
    for row in record.rows.iter().filter(|row| row.algorithm == algorithm) {
        let Some((x, y)) = point(row) else { continue };
        let place = (x, y, row.title());
        match series.iter_mut().find(|series| series.name == row.model) {
            Some(series) => series.points.push(place),
            None => {
                let name = row.model.clone();
                series.push(Series { name, points: vec![place], joined: false });
            }
        }
    }
    // The same axis on both sides, so that the diagonal goes from corner to corner.
    let values = all(&series, |point| point.0).into_iter().chain(all(&series, |point| point.1));
    let scale = Scale::logarithmic(unit, values);
    Panel { x_name, y_name, x: scale, y: scale, series, guides: vec![Guide::Diagonal] }
}

/// Events and cost of the executions of a series.
type Cost = fn(&growth::Series<'_>) -> Vec<(f64, f64)>;

const COSTS: [(&str, Cost); 2] = [
    ("instructions per execution", |series| series.instructions()),
    ("CPU nanoseconds per execution", |series| series.nanoseconds()),
];

/// What an execution costs, against the events of the graph, with the square as a guide.
fn cost(record: &Record) -> Option<(String, Figure)> {
    let grown = growth::series(record);
    let has_points = |panel: &Panel| panel.series.iter().any(|series| !series.points.is_empty());
    let panels: Vec<Panel> =
        COSTS.iter().map(|kind| cost_panel(&grown, *kind)).filter(has_points).collect();
    let title = "cost of an execution (dashed: the square of the events)".to_owned();
    (!panels.is_empty()).then(|| ("cost".to_owned(), Figure { title, panels }))
}

fn cost_panel(grown: &[growth::Series<'_>], (y_name, cost): (&str, Cost)) -> Panel {
    let tip = |(x, y): (f64, f64)| (x, y, format!("{x:.0} events: {y:.0}"));
    let to_series = |from: &growth::Series<'_>| Series {
        name: from.title.clone(),
        points: cost(from).into_iter().map(tip).collect(),
        joined: true,
    };
    let series: Vec<Series> = grown.iter().map(to_series).collect();
    let x = Scale::logarithmic(Unit::Count, all(&series, |point| point.0));
    let y = Scale::logarithmic(Unit::Count, all(&series, |point| point.1));
    let points = series.iter().flat_map(|series| &series.points).map(|point| (point.0, point.1));
    let smallest = points.min_by(|a, b| a.0.total_cmp(&b.0));
    let guides = smallest.map(|at| Guide::Power(2.0, at)).into_iter().collect();
    let (x_name, y_name) = ("events of the graph".to_owned(), y_name.to_owned());
    Panel { x_name, y_name, x, y, series, guides }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PeerRun;
    use crate::plot::tests::tags;
    use crate::record::tests::{record, row};

    fn names(figures: &[(String, String)]) -> Vec<&str> {
        figures.iter().map(|(name, _)| name.as_str()).collect()
    }

    fn marks(figures: &[(String, String)], name: &str) -> usize {
        let (_, text) = figures.iter().find(|(found, _)| found == name).expect("the figure");
        tags(text).iter().filter(|tag| **tag == "title").count()
    }

    #[test]
    fn a_record_has_three_kinds_of_figures() {
        let mut rows = Vec::new();
        for size in 2..5 {
            let mut first = row("p", size, "trust", 10u64.pow(size));
            let (seconds, exit_code) = (Some(1.0), Some(0));
            first.peers =
                vec![PeerRun { name: "a peer".to_owned(), seconds, exit_code, fault: None }];
            rows.push(first);
            rows.push(row("p", size, "rf", 5u64.pow(size)));
        }
        rows.push(row("only_one_size", 3, "rf", 7));
        let mut first = row("p", 9, "trust", 1000);
        first.limit = Some(1000);
        rows.push(first);
        let figures = figures(&record(rows));
        assert_eq!(
            names(&figures),
            ["p.svg", "trust-against-rf.svg", "trust-against-a_peer.svg", "cost.svg"]
        );
        assert_eq!(marks(&figures, "p.svg"), 2 * 2 * 3 + 2);
        assert_eq!(marks(&figures, "trust-against-rf.svg"), 2 * 3 + 1);
        assert_eq!(marks(&figures, "trust-against-a_peer.svg"), 3 + 1);
    }

    #[test]
    fn a_single_run_has_nothing_to_plot_against() {
        let mut only = row("p", 3, "trust", 7);
        only.growth = false;
        assert_eq!(figures(&record(vec![only])), []);
    }
}
