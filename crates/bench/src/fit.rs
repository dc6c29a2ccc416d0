//! How fast something grows: the exponent of the power that fits best.

/// The slope of the straight line through the logarithms of the points with the least squares; none if
/// there are not two different places, or something is not positive.
pub fn exponent(points: &[(f64, f64)]) -> Option<f64> {
    if points.iter().any(|(x, y)| *x <= 0.0 || *y <= 0.0) {
        return None;
    }
    let logarithms: Vec<(f64, f64)> = points.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
    let count = logarithms.len() as f64;
    let mean_x = logarithms.iter().map(|(x, _)| x).sum::<f64>() / count;
    let mean_y = logarithms.iter().map(|(_, y)| y).sum::<f64>() / count;
    let spread: f64 = logarithms.iter().map(|(x, _)| (x - mean_x).powi(2)).sum();
    let common: f64 = logarithms.iter().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
    (spread > 0.0).then(|| common / spread)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_are_recognised() {
        let square: Vec<(f64, f64)> = (1..9).map(f64::from).map(|x| (x, 7.0 * x * x)).collect();
        assert!((exponent(&square).expect("a fit") - 2.0).abs() < 1e-9);
        let flat = [(1.0, 5.0), (10.0, 5.0)];
        assert!(exponent(&flat).expect("a fit").abs() < 1e-9);
    }

    #[test]
    fn nothing_is_fitted_to_a_single_place() {
        assert_eq!(exponent(&[]), None);
        assert_eq!(exponent(&[(3.0, 1.0), (3.0, 2.0)]), None);
        assert_eq!(exponent(&[(0.0, 1.0), (3.0, 2.0)]), None);
    }
}
