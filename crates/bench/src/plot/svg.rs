//! The few elements of SVG that plots are made of.

use std::fmt::Write;

/// Text and lines are dark on light paper, or the other way round where the reader prefers that. The
/// paper is drawn, so that both always fit together.
const STYLE: &str = "\
text{font:12px sans-serif;fill:#222}\
.title{font-size:15px;font-weight:bold}\
.paper{fill:#fff}\
.frame{fill:none;stroke:#666}\
.grid{stroke:#ddd}\
.guide{stroke:#888;stroke-dasharray:5 4;fill:none}\
@media(prefers-color-scheme:dark){\
text{fill:#ddd}.paper{fill:#16181c}.frame{stroke:#999}.grid{stroke:#333}}";

/// Where a text stands relative to its point.
#[derive(Clone, Copy, Debug)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

impl Anchor {
    fn name(self) -> &'static str {
        match self {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        }
    }
}

/// A drawing that is being made.
#[derive(Debug)]
pub(super) struct Svg {
    text: String,
}

impl Svg {
    pub(super) fn new(width: f64, height: f64) -> Svg {
        let text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             width=\"{width}\" height=\"{height}\">\n<style>{STYLE}</style>\n\
             <rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>\n"
        );
        Svg { text }
    }

    pub(super) fn rectangle(&mut self, x: f64, y: f64, width: f64, height: f64) {
        self.element(format!(
            "<rect class=\"frame\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"/>"
        ));
    }

    pub(super) fn line(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        let ((x1, y1), (x2, y2)) = (from, to);
        self.element(format!(
            "<line class=\"{class}\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>"
        ));
    }

    pub(super) fn path(&mut self, colour: &str, points: &[(f64, f64)]) {
        let places: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        self.element(format!(
            "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\" points=\"{}\"/>",
            places.join(" ")
        ));
    }

    /// A mark with a text that shows when it is pointed at.
    pub(super) fn mark(&mut self, colour: &str, shape: usize, (x, y): (f64, f64), tip: &str) {
        let tip = escape(tip);
        let (shape, end) = match shape % 3 {
            0 => (format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\""), "circle"),
            1 => {
                let (x, y) = (x - 3.2, y - 3.2);
                (format!("<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"6.4\" height=\"6.4\""), "rect")
            }
            _ => (format!("<path d=\"M{x:.1} {:.1}l4.2 7.4h-8.4z\"", y - 4.6), "path"),
        };
        self.element(format!("{shape} fill=\"{colour}\"><title>{tip}</title></{end}>"));
    }

    pub(super) fn label(&mut self, at: (f64, f64), anchor: Anchor, text: &str) {
        self.write(at, anchor, "", text);
    }

    pub(super) fn title(&mut self, at: (f64, f64), text: &str) {
        self.write(at, Anchor::Start, " class=\"title\"", text);
    }

    /// A text that runs upwards.
    pub(super) fn upwards(&mut self, (x, y): (f64, f64), text: &str) {
        let turn = format!(" transform=\"rotate(-90 {x:.1} {y:.1})\"");
        self.write((x, y), Anchor::Middle, &turn, text);
    }

    fn write(&mut self, (x, y): (f64, f64), anchor: Anchor, more: &str, text: &str) {
        let (anchor, text) = (anchor.name(), escape(text));
        self.element(format!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\"{more}>{text}</text>"
        ));
    }

    fn element(&mut self, element: String) {
        let _ = writeln!(self.text, "{element}");
    }

    pub(super) fn finish(mut self) -> String {
        self.text += "</svg>\n";
        self.text
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_in_texts_is_escaped() {
        let mut svg = Svg::new(10.0, 10.0);
        svg.label((1.0, 2.0), Anchor::Start, "a<b & \"c\">");
        assert!(svg.finish().contains(">a&lt;b &amp; &quot;c&quot;&gt;</text>"));
    }
}
