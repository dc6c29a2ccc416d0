//! The disassembler: one line an instruction, constants shown by value.

use crate::{Instruction, Operand, Program, Trap};
use std::fmt::{self, Write};

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for global in &self.globals {
            let kind = match (global.constant, global.thread_local) {
                (_, true) => "thread_local",
                (true, _) => "constant",
                _ => "global",
            };
            writeln!(f, "{kind} {} at {:#x}, {} bytes", global.name, global.address, global.size)?;
        }
        for function in &self.functions {
            let dots = if function.variadic { ", ..." } else { "" };
            writeln!(
                f,
                "\nfunction {}({} cells{dots}) -> {} cells, {} registers",
                function.name, function.params, function.results, function.registers
            )?;
            let mut line = None;
            for pc in function.entry..function.end {
                let location = self.source.get(self.locations[pc as usize]);
                if location.is_some() && location.map(|l| l.line) != line {
                    line = location.map(|l| l.line);
                    let shown = self.source.format(self.locations[pc as usize]);
                    writeln!(f, "  ; {}", shown.unwrap_or_default())?;
                }
                writeln!(f, "  {pc:5}  {}", self.disassemble_instruction(pc))?;
            }
        }
        Ok(())
    }
}

impl Program {
    /// One instruction as text.
    pub fn disassemble_instruction(&self, pc: u32) -> String {
        let instruction = &self.code[pc as usize];
        let mut text = match *instruction {
            Instruction::Call { function, args, count, dst, results } => {
                let name = self.functions.get(function.index()).map_or("?", |f| &f.name);
                format!("{} = call {name}{}", self.results(dst.0, results), self.args(args, count))
            }
            Instruction::CallExternal { external, args, count, dst, results } => {
                let name = self.externals.get(external.index()).map_or("?", |e| &e.name);
                let args = self.args(args, count);
                format!("{} = call external {name}{args}", self.results(dst.0, results))
            }
            Instruction::CallIndirect { target, args, count, dst, results } => {
                let (target, args) = (self.operand(target), self.args(args, count));
                format!("{} = call [{target}]{args}", self.results(dst.0, results))
            }
            Instruction::Trap(trap) => format!("trap {}", self.trap(trap)),
            Instruction::Unsupported { message } => format!("unsupported: {}", self.text(message)),
            Instruction::Switch { value, table } => {
                format!("switch {}{}", self.operand(value), self.table(table))
            }
            Instruction::Jump { target } => format!("jump {target}"),
            _ => self.generic(instruction),
        };
        if text.starts_with(" = ") {
            text.drain(..3);
        }
        if let Some(pad) = self.pad_at(pc) {
            let _ = write!(text, ", unwinding to {}", pad.target);
        }
        text
    }

    /// The mnemonic is the variant's name; numbers keep their field names.
    fn generic(&self, instruction: &Instruction) -> String {
        let debug = format!("{instruction:?}");
        let mut text = String::with_capacity(debug.len());
        let mut rest = debug.as_str();
        while let Some(at) = rest.find("Operand(").into_iter().chain(rest.find("Register(")).min() {
            let (before, after) = rest.split_at(at);
            text.push_str(before);
            let open = after.find('(').unwrap_or(0);
            let close = after.find(')').unwrap_or(after.len());
            let number = after[open + 1..close].parse().unwrap_or(0);
            text.push_str(&self.operand(Operand(number)));
            rest = &after[close + 1..];
        }
        text.push_str(rest);
        text.replace(" {", "").replace(" }", "")
    }

    fn operand(&self, operand: Operand) -> String {
        match operand.constant_index() {
            Some(index) => match self.constants.get(index as usize) {
                Some(&value) if value < 1 << 16 => format!("#{value}"),
                Some(value) => format!("#{value:#x}"),
                None => operand.to_string(),
            },
            None => operand.to_string(),
        }
    }

    fn results(&self, dst: u32, results: u8) -> String {
        match results {
            0 => String::new(),
            1 => format!("r{dst}"),
            n => format!("r{dst}..r{}", u64::from(dst) + u64::from(n) - 1),
        }
    }

    fn args(&self, args: u32, count: u16) -> String {
        let mut text = String::from("(");
        for i in 0..usize::from(count) {
            let comma = if i == 0 { "" } else { ", " };
            let argument = self.arguments.get(args as usize + i).copied();
            let _ = write!(text, "{comma}{}", argument.map_or("?".into(), |a| self.operand(a)));
        }
        text.push(')');
        text
    }

    fn trap(&self, trap: Trap) -> String {
        match trap {
            Trap::Unreachable => "unreachable".into(),
            Trap::Reached => "reached".into(),
            Trap::NoLabel => "no label".into(),
            Trap::WrongType(function) => {
                let name = self.functions.get(function.index()).map_or("?", |f| &f.name);
                format!("wrong type of {name}")
            }
        }
    }

    fn text(&self, message: u32) -> &str {
        self.messages.get(message as usize).map_or("?", String::as_str)
    }

    fn table(&self, table: u32) -> String {
        let Some(switch) = self.switches.get(table as usize) else { return " ?".into() };
        let mut text = String::new();
        for (value, target) in &switch.cases {
            let _ = write!(text, ", {value} -> {target}");
        }
        let _ = write!(text, ", else -> {}", switch.default);
        text
    }
}
