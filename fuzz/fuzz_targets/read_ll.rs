//! The reader neither panics nor hangs, whatever the text, and what it has read can be used: ids
//! are valid, and debug information decodes, even where it is nonsense.

#![no_main]

use norn_llvm::{Module, Operand, SymbolId, debug};

libfuzzer_sys::fuzz_target!(|text: &[u8]| {
    if let Ok(module) = norn_llvm::read(text) {
        walk(&module);
    }
});

fn walk(module: &Module) {
    for id in 0..module.symbols.len() {
        module.symbol_name(SymbolId(id as u32));
    }
    for global in &module.globals {
        module.layout.of(global.ty);
        if let Some(variable) = global.debug.and_then(|id| debug::variable(module, id))
            && let Some(ty) = variable.ty
        {
            debug::path_of(module, ty, 5);
        }
    }
    for function in &module.functions {
        function.debug.and_then(|id| debug::subprogram(module, id));
        let Some(body) = &function.body else { continue };
        for variable in &body.debug_variables {
            body.local(variable.local);
            debug::variable(module, variable.variable);
        }
        for instruction in body.order.iter().flat_map(|&block| &body.block(block).instructions) {
            instruction.debug.and_then(|id| debug::place(module, id));
            instruction.op.for_each_operand(|operand| {
                module.layout.of(module.operand_type(body, operand));
                if let Operand::Const(_) = operand {
                    module.operand_symbol(operand);
                }
            });
            instruction.op.for_each_successor(|block| {
                body.block(block);
            });
        }
    }
}
