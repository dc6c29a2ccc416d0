//! Instructions.

use super::Llvm;
use super::constants::name;
use crate::facts::Facts;
use llvm_sys::LLVMAtomicOrdering::{self, *};
use llvm_sys::LLVMOpcode::*;
use llvm_sys::core::*;
use llvm_sys::prelude::*;
use llvm_sys::{LLVMOpcode, LLVMTailCallKind};

impl Llvm {
    pub(super) unsafe fn instruction(&mut self, i: LLVMValueRef) -> Facts {
        let mut facts = Facts::default();
        let opcode = LLVMGetInstructionOpcode(i);
        facts.add("opcode", name(opcode));
        facts.add("result", self.ty(LLVMTypeOf(i)));
        facts.add("place", self.place(i));
        for index in 0..self.operands(opcode, i) {
            facts.add("operand", self.value(LLVMGetOperand(i, index)));
        }
        self.details(opcode, i, &mut facts);
        if !LLVMIsATerminatorInst(i).is_null() {
            for index in 0..LLVMGetNumSuccessors(i) {
                facts.add("successor", format!("b{}", self.blocks[&LLVMGetSuccessor(i, index)]));
            }
        }
        facts
    }

    /// How many operands are plain values; those of some instructions are told in detail instead.
    unsafe fn operands(&self, opcode: LLVMOpcode, i: LLVMValueRef) -> u32 {
        match opcode {
            LLVMCall | LLVMInvoke | LLVMLandingPad | LLVMAlloca => 0,
            LLVMBr => LLVMIsConditional(i) as u32,
            LLVMSwitch | LLVMIndirectBr => 1,
            _ => LLVMGetNumOperands(i) as u32,
        }
    }

    unsafe fn details(&mut self, opcode: LLVMOpcode, i: LLVMValueRef, facts: &mut Facts) {
        match opcode {
            LLVMAdd | LLVMSub | LLVMMul | LLVMShl | LLVMUDiv | LLVMSDiv | LLVMLShr | LLVMAShr
            | LLVMURem | LLVMSRem | LLVMAnd | LLVMOr | LLVMXor | LLVMFAdd | LLVMFSub | LLVMFMul
            | LLVMFDiv | LLVMFRem => {
                let wraps = matches!(opcode, LLVMAdd | LLVMSub | LLVMMul | LLVMShl);
                let divides = matches!(opcode, LLVMUDiv | LLVMSDiv | LLVMLShr | LLVMAShr);
                let nuw = wraps && LLVMGetNUW(i) != 0;
                let nsw = wraps && LLVMGetNSW(i) != 0;
                let exact = divides && LLVMGetExact(i) != 0;
                facts.add("nuw, nsw, exact", format!("{nuw}{nsw}{exact}"));
            }
            LLVMSwitch => {
                for case in 1..LLVMGetNumSuccessors(i) {
                    facts.add("case", self.value(LLVMGetOperand(i, 2 * case)));
                }
            }
            LLVMExtractValue | LLVMInsertValue => {
                let count = LLVMGetNumIndices(i) as usize;
                let indices = std::slice::from_raw_parts(LLVMGetIndices(i), count);
                facts.add("indices", format!("{indices:?}"));
            }
            LLVMShuffleVector => {
                let count = LLVMGetNumMaskElements(i);
                let mask: Vec<_> = (0..count).map(|lane| LLVMGetMaskValue(i, lane)).collect();
                facts.add("mask", format!("{mask:?}"));
            }
            LLVMICmp => {
                let predicate = format!("{:?}", LLVMGetICmpPredicate(i)).to_lowercase();
                facts.add("predicate", predicate.trim_start_matches("llvmint"));
            }
            LLVMFCmp => {
                let predicate = format!("{:?}", LLVMGetFCmpPredicate(i)).to_lowercase();
                let predicate = predicate.trim_start_matches("llvmreal");
                let predicate = predicate.trim_start_matches("predicate");
                facts.add("predicate", predicate);
            }
            LLVMGetElementPtr => {
                facts.add("source", self.ty(LLVMGetGEPSourceElementType(i)));
                facts.add("inbounds", LLVMIsInBounds(i) != 0);
            }
            LLVMPHI => {
                for index in 0..LLVMCountIncoming(i) {
                    let block = LLVMGetIncomingBlock(i, index);
                    facts.add("from", format!("b{}", self.blocks[&block]));
                }
            }
            LLVMLandingPad => {
                facts.add("cleanup", LLVMIsCleanup(i) != 0);
                for index in 0..LLVMGetNumClauses(i) {
                    facts.add("clause", self.value(LLVMGetClause(i, index)));
                }
            }
            LLVMCall | LLVMInvoke => self.call(opcode, i, facts),
            _ => self.memory(opcode, i, facts),
        }
    }

    unsafe fn memory(&mut self, opcode: LLVMOpcode, i: LLVMValueRef, facts: &mut Facts) {
        match opcode {
            LLVMAlloca => {
                let ty = LLVMGetAllocatedType(i);
                facts.add("type", self.ty(ty));
                facts.add("layout", self.layout(ty));
                facts.add("count", self.value(LLVMGetOperand(i, 0)));
                facts.add("alignment", LLVMGetAlignment(i));
            }
            LLVMLoad => self.access(LLVMTypeOf(i), LLVMGetOrdering(i), i, facts),
            LLVMStore => {
                let ty = LLVMTypeOf(LLVMGetOperand(i, 0));
                self.access(ty, LLVMGetOrdering(i), i, facts);
            }
            LLVMFence => {
                // Right since version 19; 14 and 16 answered wrongly for fences.
                facts.add("ordering", ordering(LLVMGetOrdering(i)));
                facts.add("single thread", LLVMIsAtomicSingleThread(i) != 0);
            }
            LLVMAtomicCmpXchg => {
                let ty = LLVMTypeOf(LLVMGetOperand(i, 2));
                self.access(ty, LLVMGetCmpXchgSuccessOrdering(i), i, facts);
                facts.add("failure", ordering(LLVMGetCmpXchgFailureOrdering(i)));
                facts.add("weak", LLVMGetWeak(i) != 0);
            }
            LLVMAtomicRMW => {
                self.access(LLVMTypeOf(i), LLVMGetOrdering(i), i, facts);
                let operation = format!("{:?}", LLVMGetAtomicRMWBinOp(i)).to_lowercase();
                facts.add("operation", operation.trim_start_matches("llvmatomicrmwbinop"));
            }
            _ => {}
        }
    }

    unsafe fn access(
        &mut self,
        ty: LLVMTypeRef,
        success: LLVMAtomicOrdering,
        i: LLVMValueRef,
        facts: &mut Facts,
    ) {
        facts.add("layout", self.layout(ty));
        facts.add("ordering", ordering(success));
        let atomic = success != LLVMAtomicOrderingNotAtomic;
        facts.add("single thread", atomic && LLVMIsAtomicSingleThread(i) != 0);
        facts.add("volatile", LLVMGetVolatile(i) != 0);
        facts.add("alignment", LLVMGetAlignment(i));
    }

    unsafe fn call(&mut self, opcode: LLVMOpcode, i: LLVMValueRef, facts: &mut Facts) {
        facts.add("callee", self.value(LLVMGetCalledValue(i)));
        let ty = LLVMGetCalledFunctionType(i);
        facts.add("returns", self.ty(LLVMGetReturnType(ty)));
        let variadic = LLVMIsFunctionVarArg(ty) != 0;
        facts.add("variadic", if variadic { self.ty(ty) } else { "no".to_owned() });
        let must = LLVMTailCallKind::LLVMTailCallKindMustTail;
        facts.add("must tail", opcode == LLVMCall && LLVMGetTailCallKind(i) == must);
        for index in 0..LLVMGetNumArgOperands(i) {
            facts.add("argument", self.value(LLVMGetOperand(i, index)));
            self.attributes(facts, |kind| LLVMGetCallSiteEnumAttribute(i, index + 1, kind));
        }
    }
}

fn ordering(ordering: LLVMAtomicOrdering) -> &'static str {
    match ordering {
        LLVMAtomicOrderingNotAtomic => "none",
        LLVMAtomicOrderingUnordered => "unordered",
        LLVMAtomicOrderingMonotonic => "monotonic",
        LLVMAtomicOrderingAcquire => "acquire",
        LLVMAtomicOrderingRelease => "release",
        LLVMAtomicOrderingAcquireRelease => "acq_rel",
        LLVMAtomicOrderingSequentiallyConsistent => "seq_cst",
    }
}
