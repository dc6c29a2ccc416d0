//! Figures: panels with axes, points, lines and guides, and a legend.

use super::scale::Scale;
use super::svg::{Anchor, Svg};

/// Points that belong together.
#[derive(Clone, Debug, Default)]
pub struct Series {
    /// What the legend calls it. Series of the same name in several panels look the same.
    pub name: String,
    /// The points, each with what is shown when it is pointed at.
    pub points: Vec<(f64, f64, String)>,
    /// Whether a line joins them.
    pub joined: bool,
}

/// A line that helps to read a panel.
#[derive(Clone, Copy, Debug)]
pub enum Guide {
    /// Where both values are the same.
    Diagonal,
    /// The power with this exponent through a point.
    Power(f64, (f64, f64)),
}

/// A pair of axes and what lies between them.
#[derive(Clone, Debug)]
pub struct Panel {
    /// What is counted to the right.
    pub x_name: String,
    /// What is counted upwards.
    pub y_name: String,
    /// The axis to the right.
    pub x: Scale,
    /// The axis upwards.
    pub y: Scale,
    /// The points.
    pub series: Vec<Series>,
    /// Lines that help.
    pub guides: Vec<Guide>,
}

/// Panels side by side.
#[derive(Clone, Debug)]
pub struct Figure {
    /// What it is about.
    pub title: String,
    /// The panels.
    pub panels: Vec<Panel>,
}

/// Mid tones, which can be told apart on light and on dark paper.
const COLOURS: [&str; 8] =
    ["#2f7ed8", "#e0632b", "#3a9b4a", "#b04fc0", "#c99a1c", "#1fa3a3", "#d6457e", "#7d7d7d"];

const WIDTH: f64 = 340.0;
const HEIGHT: f64 = 280.0;
const LEFT: f64 = 80.0;
const TOP: f64 = 40.0;
const RIGHT: f64 = 16.0;
const BELOW: f64 = 48.0;
const LEGEND_LINE: f64 = 18.0;

impl Figure {
    /// The drawing.
    pub fn render(&self) -> String {
        let names = self.names();
        let width = self.panels.len() as f64 * (LEFT + WIDTH + RIGHT);
        let height = TOP + HEIGHT + BELOW + names.len() as f64 * LEGEND_LINE + 8.0;
        let mut svg = Svg::new(width, height);
        svg.title((12.0, 24.0), &self.title);
        for (index, panel) in self.panels.iter().enumerate() {
            let left = index as f64 * (LEFT + WIDTH + RIGHT) + LEFT;
            panel.draw(&mut svg, left, &names);
        }
        for (index, name) in names.iter().enumerate() {
            let y = TOP + HEIGHT + BELOW + (index as f64 + 0.5) * LEGEND_LINE;
            svg.mark(colour(index), index, (LEFT + 6.0, y - 4.0), name);
            svg.label((LEFT + 18.0, y), Anchor::Start, name);
        }
        svg.finish()
    }

    /// The names in the legend, each once.
    fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for series in self.panels.iter().flat_map(|panel| &panel.series) {
            if !names.contains(&&*series.name) {
                names.push(&series.name);
            }
        }
        names
    }
}

fn colour(index: usize) -> &'static str {
    COLOURS[index % COLOURS.len()]
}

impl Panel {
    fn draw(&self, svg: &mut Svg, left: f64, names: &[&str]) {
        let place = |x: f64, y: f64| {
            let (x, y) = (self.x.place(x)?, self.y.place(y)?);
            Some((left + x * WIDTH, TOP + (1.0 - y) * HEIGHT))
        };
        self.axes(svg, left);
        for guide in &self.guides {
            if let Some((from, to)) = self.ends(*guide)
                && let (Some(from), Some(to)) = (place(from.0, from.1), place(to.0, to.1))
            {
                svg.line("guide", from, to);
            }
        }
        for series in &self.series {
            let index = names.iter().position(|name| *name == series.name).unwrap_or(0);
            let point = |(x, y, tip): &(f64, f64, String)| Some((place(*x, *y)?, tip.clone()));
            let points: Vec<((f64, f64), String)> =
                series.points.iter().filter_map(point).collect();
            if series.joined && points.len() > 1 {
                let places: Vec<(f64, f64)> = points.iter().map(|(place, _)| *place).collect();
                svg.path(colour(index), &places);
            }
            for (place, tip) in &points {
                svg.mark(colour(index), index, *place, tip);
            }
        }
    }

    fn axes(&self, svg: &mut Svg, left: f64) {
        let (bottom, right) = (TOP + HEIGHT, left + WIDTH);
        for (value, label) in self.x.ticks() {
            let x = left + self.x.place(value).unwrap_or(0.0) * WIDTH;
            svg.line("grid", (x, TOP), (x, bottom));
            svg.label((x, bottom + 16.0), Anchor::Middle, &label);
        }
        for (value, label) in self.y.ticks() {
            let y = TOP + (1.0 - self.y.place(value).unwrap_or(0.0)) * HEIGHT;
            svg.line("grid", (left, y), (right, y));
            svg.label((left - 6.0, y + 4.0), Anchor::End, &label);
        }
        svg.rectangle(left, TOP, WIDTH, HEIGHT);
        svg.label((left + WIDTH / 2.0, bottom + 36.0), Anchor::Middle, &self.x_name);
        svg.upwards((left - 62.0, TOP + HEIGHT / 2.0), &self.y_name);
    }

    /// The ends of a guide within the panel.
    fn ends(&self, guide: Guide) -> Option<((f64, f64), (f64, f64))> {
        let ((x_low, x_high), (y_low, y_high)) = (self.x.range(), self.y.range());
        let (exponent, (x, y)) = match guide {
            Guide::Diagonal => (1.0, (1.0, 1.0)),
            Guide::Power(exponent, point) => (exponent, point),
        };
        let up = |at: f64| y * (at / x).powf(exponent);
        let back = |at: f64| x * (at / y).powf(1.0 / exponent);
        let (from, to) = (x_low.max(back(y_low)), x_high.min(back(y_high)));
        // Rounding must not push the ends out.
        let inside = |at: f64| (at, up(at).clamp(y_low, y_high));
        (from < to).then(|| (inside(from), inside(to)))
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::plot::Unit;

    /// Checks that tags are closed in the order in which they were opened, and that all attributes
    /// are quoted. Returns the opening tags.
    pub(crate) fn tags(text: &str) -> Vec<&str> {
        let (mut open, mut found) = (Vec::new(), Vec::new());
        let mut rest = text;
        while let Some((before, tail)) = rest.split_once('<') {
            assert!(!before.contains('>'), "a stray `>` in {before}");
            let (tag, after) = tail.split_once('>').expect("a tag ends");
            let name = tag.trim_matches('/').split_whitespace().next().expect("a name");
            if tag.starts_with('/') {
                assert_eq!(open.pop(), Some(name), "tags are closed in order");
            } else {
                assert_eq!(tag.matches('"').count(), tag.matches('=').count() * 2, "{tag}");
                found.push(tag);
                if !tag.ends_with('/') {
                    open.push(name);
                }
            }
            rest = after;
        }
        assert!(open.is_empty(), "{open:?} not closed");
        found
    }

    fn attribute(tag: &str, name: &str) -> f64 {
        let (_, rest) = tag.split_once(&format!(" {name}=\"")).expect("the attribute");
        rest.split('"').next().and_then(|number| number.parse().ok()).expect("a number")
    }

    fn figure(guide: Guide) -> Figure {
        let values = [(1.0, 2.0), (10.0, 300.0), (100.0, 50_000.0)];
        let points = values.map(|(x, y)| (x, y, format!("{x} & {y}"))).to_vec();
        let panel = Panel {
            x_name: "events".to_owned(),
            y_name: "cost <each>".to_owned(),
            x: Scale::logarithmic(Unit::Count, values.map(|(x, _)| x)),
            y: Scale::logarithmic(Unit::Count, values.map(|(_, y)| y)),
            series: vec![Series { name: "one".to_owned(), points, joined: true }],
            guides: vec![guide],
        };
        Figure { title: "a & b".to_owned(), panels: vec![panel.clone(), panel] }
    }

    #[test]
    fn drawings_are_well_formed_and_points_lie_inside_the_frame() {
        let text = figure(Guide::Diagonal).render();
        let tags = tags(&text);
        let frames: Vec<&&str> = tags.iter().filter(|tag| tag.contains("\"frame\"")).collect();
        let marks: Vec<&&str> = tags.iter().filter(|tag| tag.starts_with("circle")).collect();
        assert_eq!((frames.len(), marks.len()), (2, 2 * 3 + 1), "one mark is the legend's");
        for (index, mark) in marks[..6].iter().enumerate() {
            let frame = frames[index / 3];
            let (x, y) = (attribute(frame, "x"), attribute(frame, "y"));
            let (cx, cy) = (attribute(mark, "cx"), attribute(mark, "cy"));
            assert!(cx > x && cx < x + attribute(frame, "width"), "{mark} in {frame}");
            assert!(cy > y && cy < y + attribute(frame, "height"), "{mark} in {frame}");
        }
    }

    #[test]
    fn a_higher_value_is_further_up() {
        let text = figure(Guide::Diagonal).render();
        let tags = tags(&text);
        let heights: Vec<f64> = tags
            .iter()
            .filter(|tag| tag.starts_with("circle"))
            .map(|tag| attribute(tag, "cy"))
            .collect();
        assert!(heights[0] > heights[1] && heights[1] > heights[2]);
    }

    #[test]
    fn guides_stay_inside_and_have_their_slope() {
        let panel = &figure(Guide::Diagonal).panels[0];
        let (from, to) = panel.ends(Guide::Power(2.0, (10.0, 300.0))).expect("a guide");
        assert!(((to.1 / from.1).log10() / (to.0 / from.0).log10() - 2.0).abs() < 1e-6);
        for (x, y) in [from, to] {
            assert!(panel.x.place(x).is_some() && panel.y.place(y).is_some());
        }
        assert!(panel.ends(Guide::Power(2.0, (10.0, 1e12))).is_none(), "far above the panel");
        let text = figure(Guide::Power(2.0, (10.0, 300.0))).render();
        assert_eq!(tags(&text).iter().filter(|tag| tag.contains("\"guide\"")).count(), 2);
    }
}
