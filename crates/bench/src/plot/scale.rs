//! From values to places on an axis, and back to readable ticks.

/// What an axis counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Things: 1, 10, 1k, 1M.
    Count,
    /// Seconds: 1 ms, 1 s.
    Seconds,
}

/// How values lie on an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    low: f64,
    high: f64,
    logarithmic: bool,
    unit: Unit,
}

impl Scale {
    /// Equal ratios are equal distances. Wide enough for all values that are positive.
    pub fn logarithmic(unit: Unit, values: impl IntoIterator<Item = f64>) -> Scale {
        let positive = values.into_iter().filter(|value| *value > 0.0);
        let (low, high) = limits(positive).unwrap_or((1.0, 10.0));
        let low = 10f64.powf((low.log10() * 4.0 - 0.2).floor() / 4.0);
        let high = 10f64.powf((high.log10() * 4.0 + 0.2).ceil() / 4.0);
        Scale { low, high, logarithmic: true, unit }
    }

    /// Equal differences are equal distances. Wide enough for all values.
    pub fn linear(unit: Unit, values: impl IntoIterator<Item = f64>) -> Scale {
        let (low, high) = limits(values.into_iter()).unwrap_or((0.0, 1.0));
        let margin = ((high - low) * 0.06).max(0.5);
        Scale { low: low - margin, high: high + margin, logarithmic: false, unit }
    }

    /// The smallest and the largest value that have a place.
    pub fn range(&self) -> (f64, f64) {
        (self.low, self.high)
    }

    /// Where a value lies: 0 at the low end, 1 at the high one; none if it is outside.
    pub fn place(&self, value: f64) -> Option<f64> {
        let map = |value: f64| if self.logarithmic { value.ln() } else { value };
        let inside = value >= self.low && value <= self.high;
        inside.then(|| (map(value) - map(self.low)) / (map(self.high) - map(self.low)))
    }

    /// Values to mark, with what to write beside them.
    pub fn ticks(&self) -> Vec<(f64, String)> {
        let values = if self.logarithmic { self.logarithmic_ticks() } else { self.linear_ticks() };
        let inside = |value: &f64| self.place(*value).is_some();
        values.into_iter().filter(inside).map(|value| (value, self.label(value))).collect()
    }

    /// Powers of ten, fewer if there are many, and what lies between them if there are few.
    fn logarithmic_ticks(&self) -> Vec<f64> {
        let (first, last) = (self.low.log10().floor() as i32, self.high.log10().ceil() as i32);
        let parts: &[f64] = match last - first {
            ..=2 => &[1.0, 2.0, 3.0, 5.0],
            3 => &[1.0, 3.0],
            _ => &[1.0],
        };
        let step = ((last - first) / 8 + 1) as usize;
        let powers = (first..=last).step_by(step).map(|power| 10f64.powi(power));
        powers.flat_map(|power| parts.iter().map(move |part| part * power)).collect()
    }

    /// Whole numbers, at most about ten.
    fn linear_ticks(&self) -> Vec<f64> {
        let steps = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0];
        let fits = |step: &f64| (self.high - self.low) / step <= 11.0;
        let step = steps.into_iter().find(fits).unwrap_or((self.high - self.low) / 10.0);
        let first = (self.low / step).ceil() as i64;
        let last = (self.high / step).floor() as i64;
        (first..=last).map(|index| index as f64 * step).collect()
    }

    fn label(&self, value: f64) -> String {
        let steps: &[(f64, &str)] = match self.unit {
            Unit::Count => &[(1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, "")],
            Unit::Seconds => &[(1.0, " s"), (1e-3, " ms"), (1e-6, " µs"), (1e-9, " ns")],
        };
        // Powers of ten are not exact below one.
        let nearly = |size: f64| value >= size * 0.999;
        let (size, name) = steps.iter().find(|step| nearly(step.0)).unwrap_or(&(1.0, ""));
        let number = format!("{:.2}", value / size);
        format!("{}{name}", number.trim_end_matches('0').trim_end_matches('.'))
    }
}

fn limits(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values.fold(None, |limits, value| match limits {
        None => Some((value, value)),
        Some((low, high)) => Some((value.min(low), value.max(high))),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(scale: Scale) -> Vec<String> {
        scale.ticks().into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn ratios_are_distances() {
        let scale = Scale::logarithmic(Unit::Count, [1.0, 100.0, 10_000.0]);
        let place = |value| scale.place(value).expect("inside");
        let (first, second) = (place(100.0) - place(1.0), place(10_000.0) - place(100.0));
        assert!(place(1.0) > 0.0 && place(10_000.0) < 1.0);
        assert!((first - second).abs() < 1e-9);
        assert_eq!(scale.place(0.0), None);
        assert_eq!(scale.place(1e9), None);
    }

    #[test]
    fn ticks_are_readable() {
        assert_eq!(
            labels(Scale::logarithmic(Unit::Count, [2.0, 5e5])),
            ["10", "100", "1k", "10k", "100k"]
        );
        assert_eq!(
            labels(Scale::logarithmic(Unit::Seconds, [0.002, 3.0])),
            ["10 ms", "100 ms", "1 s"]
        );
        assert_eq!(labels(Scale::linear(Unit::Count, [4.0, 8.0])), ["4", "5", "6", "7", "8"]);
    }

    #[test]
    fn a_narrow_range_has_ticks_too() {
        for value in [7.0, 1e-6, 123_456.0] {
            let ticks = Scale::logarithmic(Unit::Count, [value, value * 1.1]).ticks();
            assert!((1..=12).contains(&ticks.len()), "{ticks:?}");
        }
        assert!(!Scale::linear(Unit::Count, [5.0]).ticks().is_empty());
        assert!(!Scale::logarithmic(Unit::Count, []).ticks().is_empty());
    }
}
