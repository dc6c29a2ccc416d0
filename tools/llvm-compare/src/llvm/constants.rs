//! Constants and operands.

use super::{Llvm, list, owned, text};
use crate::facts::{hexadecimal, words};
use llvm_sys::LLVMOpcode;
use llvm_sys::LLVMTypeKind::*;
use llvm_sys::LLVMValueKind::*;
use llvm_sys::core::*;
use llvm_sys::prelude::*;

impl Llvm {
    /// Any value that is an operand, with its type.
    pub(super) unsafe fn value(&mut self, value: LLVMValueRef) -> String {
        let kind = LLVMGetValueKind(value);
        match kind {
            LLVMMetadataAsValueValueKind => return "metadata".to_owned(),
            LLVMInlineAsmValueKind => return self.assembly(value),
            _ => {}
        }
        let ty = self.ty(LLVMTypeOf(value));
        let content = match kind {
            LLVMArgumentValueKind | LLVMInstructionValueKind => format!("%{}", self.locals[&value]),
            LLVMFunctionValueKind
            | LLVMGlobalAliasValueKind
            | LLVMGlobalIFuncValueKind
            | LLVMGlobalVariableValueKind => format!("@{}", self.symbols[&value]),
            LLVMBlockAddressValueKind => self.block_address(value),
            LLVMConstantExprValueKind => self.expression(value),
            LLVMConstantArrayValueKind
            | LLVMConstantStructValueKind
            | LLVMConstantVectorValueKind
            | LLVMConstantDataArrayValueKind
            | LLVMConstantDataVectorValueKind => self.aggregate(value),
            LLVMUndefValueValueKind => "undef".into(),
            LLVMPoisonValueKind => "poison".into(),
            LLVMConstantAggregateZeroValueKind | LLVMConstantTokenNoneValueKind => "zero".into(),
            LLVMConstantIntValueKind => self.integer(value),
            LLVMConstantFPValueKind => self.float(value),
            LLVMConstantPointerNullValueKind => "null".into(),
            _ => format!("{kind:?}"),
        };
        format!("{ty} {content}")
    }

    unsafe fn integer(&self, value: LLVMValueRef) -> String {
        let bits = LLVMGetIntTypeWidth(LLVMTypeOf(value));
        if bits <= 64 {
            return format!("{:#x}", LLVMConstIntGetZExtValue(value));
        }
        // The interface has no way to the words of a wide integer but its text: `i128 -5`.
        let text = owned(LLVMPrintValueToString(value));
        hexadecimal(&words(text.rsplit(' ').next().unwrap_or_default(), bits))
    }

    /// The bits, as the integer that a bitcast makes of it.
    unsafe fn float(&self, value: LLVMValueRef) -> String {
        let bits = match LLVMGetTypeKind(LLVMTypeOf(value)) {
            LLVMHalfTypeKind | LLVMBFloatTypeKind => 16,
            LLVMFloatTypeKind => 32,
            LLVMDoubleTypeKind => 64,
            LLVMX86_FP80TypeKind => 80,
            _ => 128,
        };
        let integer = LLVMConstBitCast(value, LLVMIntTypeInContext(self.context, bits));
        self.integer(integer)
    }

    unsafe fn aggregate(&mut self, value: LLVMValueRef) -> String {
        let ty = LLVMTypeOf(value);
        let length = match LLVMGetTypeKind(ty) {
            LLVMArrayTypeKind => LLVMGetArrayLength2(ty),
            LLVMStructTypeKind => u64::from(LLVMCountStructElementTypes(ty)),
            _ => u64::from(LLVMGetVectorSize(ty)),
        };
        let mut out = String::from("(");
        for index in 0..length {
            out += &(self.value(LLVMGetAggregateElement(value, index as u32)) + ",");
        }
        out + ")"
    }

    unsafe fn expression(&mut self, value: LLVMValueRef) -> String {
        let opcode = LLVMGetConstOpcode(value);
        let count = LLVMGetNumOperands(value) as u32;
        let mut operands: Vec<String> =
            (0..count).map(|index| self.value(LLVMGetOperand(value, index)) + ",").collect();
        if opcode == LLVMOpcode::LLVMGetElementPtr {
            let source = self.ty(LLVMGetGEPSourceElementType(value));
            let base = operands.remove(0);
            let base = base.trim_end_matches(',');
            return format!("getelementptr {source} {base} ({})", operands.concat());
        }
        format!("{} ({})", name(opcode), operands.concat())
    }

    unsafe fn block_address(&self, value: LLVMValueRef) -> String {
        let function = LLVMGetBlockAddressFunction(value);
        let block = LLVMGetBlockAddressBasicBlock(value);
        let blocks = list(LLVMGetFirstBasicBlock(function), |b| LLVMGetNextBasicBlock(b));
        let position = blocks.iter().position(|&b| b == block);
        format!("blockaddress @{} {position:?}", self.symbols[&function])
    }

    unsafe fn assembly(&self, value: LLVMValueRef) -> String {
        let (mut length, mut constraint_length) = (0, 0);
        let template = LLVMGetInlineAsmAsmString(value, &mut length);
        let constraints = LLVMGetInlineAsmConstraintString(value, &mut constraint_length);
        format!(
            "asm {:?} {:?} {}",
            text(template, length),
            text(constraints, constraint_length),
            LLVMGetInlineAsmHasSideEffects(value) != 0
        )
    }
}

/// `LLVMGetElementPtr` is called `getelementptr`.
pub(super) fn name(opcode: LLVMOpcode) -> String {
    format!("{opcode:?}").trim_start_matches("LLVM").to_lowercase()
}
