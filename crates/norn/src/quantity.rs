//! Durations and sizes as people write them: `90s`, `10m`, `1h30m`, `2G`, `512M`.

use std::time::Duration;

/// Reads a duration: numbers with `ms`, `s`, `m`, `h` or `d`; a bare number is seconds.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let wrong = || format!("`{text}` is not a duration; write for example 90s, 10m or 1h30m");
    let mut total = Duration::ZERO;
    let mut rest = text.trim();
    if rest.is_empty() {
        return Err(wrong());
    }
    while !rest.is_empty() {
        let (number, after) = leading_number(rest).ok_or_else(wrong)?;
        let end = after.find(|c: char| !c.is_alphabetic()).unwrap_or(after.len());
        let seconds = match &after[..end] {
            "ms" => 0.001,
            "" | "s" => 1.0,
            "m" | "min" => 60.0,
            "h" => 3600.0,
            "d" => 86400.0,
            _ => return Err(wrong()),
        };
        let part = Duration::try_from_secs_f64(number * seconds).map_err(|_| wrong())?;
        total = total.checked_add(part).ok_or_else(wrong)?;
        rest = &after[end..];
    }
    Ok(total)
}

/// Reads a size in bytes: a number with `K`, `M`, `G` or `T` (of 1024, also written `KiB`, `KB` …).
pub fn parse_size(text: &str) -> Result<u64, String> {
    let wrong = || format!("`{text}` is not a size; write for example 512M or 2G");
    let (number, unit) = leading_number(text.trim()).ok_or_else(wrong)?;
    let shift = match unit.to_ascii_uppercase().as_str() {
        "" | "B" => 0,
        "K" | "KB" | "KIB" => 10,
        "M" | "MB" | "MIB" => 20,
        "G" | "GB" | "GIB" => 30,
        "T" | "TB" | "TIB" => 40,
        _ => return Err(wrong()),
    };
    let bytes = number * (1u64 << shift) as f64;
    if bytes >= u64::MAX as f64 { Err(wrong()) } else { Ok(bytes as u64) }
}

fn leading_number(text: &str) -> Option<(f64, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    Some((text[..end].parse().ok()?, &text[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        assert_eq!(parse_duration("10m"), Ok(Duration::from_secs(600)));
        assert_eq!(parse_duration("1h30m"), Ok(Duration::from_secs(5400)));
        assert_eq!(parse_duration("250ms"), Ok(Duration::from_millis(250)));
        assert_eq!(parse_duration("1.5"), Ok(Duration::from_millis(1500)));
        for wrong in ["", "m", "10x", "-1s", "1e99d", "99999999999999999999999d"] {
            assert!(parse_duration(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn sizes() {
        assert_eq!(parse_size("2G"), Ok(2 << 30));
        assert_eq!(parse_size("1.5KiB"), Ok(1536));
        assert_eq!(parse_size("100"), Ok(100));
        for wrong in ["", "G", "2X", "-2G", "99999999999999T"] {
            assert!(parse_size(wrong).is_err(), "{wrong}");
        }
    }
}
