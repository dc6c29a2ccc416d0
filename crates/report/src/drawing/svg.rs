//! Drawings as SVG: lanes side by side, steps from top to bottom, arrows between them.

use super::{Drawing, Edge, Relation};
use crate::xml::escaped;
use std::fmt::Write as _;

const ROW: usize = 40;
const BOX: usize = 28;
/// How wide a character is at most.
const LETTER: usize = 8;
/// Room between lanes, for arrows.
const GAP: usize = 64;
const TOP: usize = 72;
const FONT: &str = "font-family=\"monospace\" font-size=\"12\"";

pub(super) fn write(drawing: &Drawing) -> String {
    let lanes = Lanes::of(drawing);
    let height = TOP + ROW * drawing.nodes.len() + 44;
    let width = lanes.width().max(drawing.title.chars().count() * LETTER + GAP);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} \
         {height}\">\n<title>{title}</title>\n<rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n\
         <text x=\"16\" y=\"24\" {FONT}>{title}</text>\n",
        title = escaped(&drawing.title),
    );
    text += &arrow_heads();
    for (lane, name) in drawing.lanes.iter().enumerate() {
        let (x, name) = (lanes.left(lane), escaped(name));
        let _ =
            writeln!(text, "<text x=\"{x}\" y=\"54\" {FONT} font-weight=\"bold\">{name}</text>");
    }
    for (row, node) in drawing.nodes.iter().enumerate() {
        let (x, y, width) = (lanes.left(node.lane), top(row), lanes.widths[node.lane]);
        let (fill, stroke) = match node.failing {
            true => ("#fdeceb", Relation::ReadsBefore.colour()),
            false => ("#f5f6f8", "#b9c0cb"),
        };
        let line = node.line.map_or_else(String::new, |line| format!("<title>line {line}</title>"));
        let _ = writeln!(
            text,
            "<g>{line}<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{BOX}\" rx=\"5\" fill=\"{fill}\" \
             stroke=\"{stroke}\"/><text x=\"{}\" y=\"{}\" {FONT}>{}</text></g>",
            x + 8,
            y + 18,
            escaped(&node.text),
        );
    }
    for edge in &drawing.edges {
        text += &arrow(drawing, &lanes, edge);
    }
    text += &legend(height - 14);
    text + "</svg>\n"
}

/// Where lanes are.
struct Lanes {
    widths: Vec<usize>,
}

impl Lanes {
    /// Each as wide as its widest text.
    fn of(drawing: &Drawing) -> Lanes {
        let width = |(lane, name): (usize, &String)| {
            let own = drawing.nodes.iter().filter(|node| node.lane == lane);
            let letters = own.map(|node| node.text.chars().count()).max().unwrap_or(0);
            letters.max(name.chars().count()) * LETTER + 20
        };
        Lanes { widths: drawing.lanes.iter().enumerate().map(width).collect() }
    }

    fn left(&self, lane: usize) -> usize {
        16 + self.widths[..lane].iter().map(|width| width + GAP).sum::<usize>()
    }

    fn width(&self) -> usize {
        self.left(self.widths.len()) + 16
    }
}

fn top(row: usize) -> usize {
    TOP + row * ROW
}

fn arrow_heads() -> String {
    let mut text = String::from("<defs>\n");
    for relation in Relation::ALL {
        let (name, colour) = (relation.name(), relation.colour());
        let _ = writeln!(
            text,
            "<marker id=\"{name}\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" \
             orient=\"auto\"><path d=\"M0,0 L8,4 L0,8 z\" fill=\"{colour}\"/></marker>"
        );
    }
    text + "</defs>\n"
}

fn arrow(drawing: &Drawing, lanes: &Lanes, edge: &Edge) -> String {
    let (from, to) = (drawing.nodes[edge.from].lane, drawing.nodes[edge.to].lane);
    let (y1, y2) = (top(edge.from) + BOX / 2, top(edge.to) + BOX / 2);
    let right = |lane: usize| lanes.left(lane) + lanes.widths[lane];
    let (name, colour) = (edge.relation.name(), edge.relation.colour());
    let path = match from.cmp(&to) {
        std::cmp::Ordering::Equal if edge.relation == Relation::ProgramOrder => {
            let x = lanes.left(from) + 14;
            format!("M{x},{} L{x},{}", top(edge.from) + BOX, top(edge.to))
        }
        std::cmp::Ordering::Equal => {
            let x = right(from);
            let bend = x + 14 + edge.from.abs_diff(edge.to).min(10) * 4;
            format!("M{x},{y1} C{bend},{y1} {bend},{y2} {x},{y2}")
        }
        std::cmp::Ordering::Less => {
            let (x1, x2) = (right(from), lanes.left(to));
            format!("M{x1},{y1} C{},{y1} {},{y2} {x2},{y2}", x1 + GAP / 2, x2 - GAP / 2)
        }
        std::cmp::Ordering::Greater => {
            let (x1, x2) = (lanes.left(from), right(to));
            format!("M{x1},{y1} C{},{y1} {},{y2} {x2},{y2}", x1 - GAP / 2, x2 + GAP / 2)
        }
    };
    let dashes = if edge.relation.is_dashed() { " stroke-dasharray=\"6 3\"" } else { "" };
    format!(
        "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.4\"{dashes} \
         marker-end=\"url(#{name})\"><title>{name}</title></path>\n"
    )
}

fn legend(y: usize) -> String {
    let mut text = String::new();
    for (index, relation) in Relation::ALL.into_iter().enumerate() {
        let (x, name, colour) = (16 + index * 56, relation.name(), relation.colour());
        let _ = writeln!(text, "<text x=\"{x}\" y=\"{y}\" {FONT} fill=\"{colour}\">{name}</text>");
    }
    text
}
