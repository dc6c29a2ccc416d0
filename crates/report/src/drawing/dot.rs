//! Drawings as Graphviz text.

use super::Drawing;
use std::fmt::Write as _;

pub(super) fn write(drawing: &Drawing) -> String {
    let mut text = String::from("digraph execution {\n");
    let _ = writeln!(text, "  label={};\n  labelloc=t;", quote(&drawing.title));
    text += "  node [shape=box, style=rounded, fontname=monospace, fontsize=11];\n";
    text += "  edge [fontname=monospace, fontsize=10];\n";
    for (lane, name) in drawing.lanes.iter().enumerate() {
        let _ = writeln!(text, "  subgraph cluster_{lane} {{\n    label={};", quote(name));
        for (index, node) in drawing.nodes.iter().enumerate().filter(|(_, n)| n.lane == lane) {
            let line = node.line.map_or_else(String::new, |line| format!("\nline {line}"));
            let label = quote(&format!("{}{line}", node.text));
            let colour = if node.failing { ", color=\"#b3261e\", penwidth=2" } else { "" };
            let _ = writeln!(text, "    n{index} [label={label}{colour}];");
        }
        text += "  }\n";
    }
    for edge in &drawing.edges {
        let (name, colour) = (edge.relation.name(), edge.relation.colour());
        let style = if edge.relation.is_dashed() { ", style=dashed" } else { "" };
        let _ = writeln!(
            text,
            "  n{} -> n{} [label={name}, color=\"{colour}\", fontcolor=\"{colour}\"{style}];",
            edge.from, edge.to
        );
    }
    text + "}\n"
}

fn quote(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}
