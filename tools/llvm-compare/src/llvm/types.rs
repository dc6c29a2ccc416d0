//! Types and layouts.

use super::{Llvm, text};
use llvm_sys::LLVMTypeKind::*;
use llvm_sys::core::*;
use llvm_sys::prelude::*;
use llvm_sys::target::{
    LLVMABIAlignmentOfType, LLVMABISizeOfType, LLVMOffsetOfElement, LLVMStoreSizeOfType,
};
use std::ffi::CStr;
use std::ptr::null_mut;

impl Llvm {
    pub(super) unsafe fn ty(&mut self, ty: LLVMTypeRef) -> String {
        match LLVMGetTypeKind(ty) {
            LLVMVoidTypeKind => "void".into(),
            LLVMHalfTypeKind => "half".into(),
            LLVMBFloatTypeKind => "bfloat".into(),
            LLVMFloatTypeKind => "float".into(),
            LLVMDoubleTypeKind => "double".into(),
            LLVMX86_FP80TypeKind => "x86_fp80".into(),
            LLVMFP128TypeKind => "fp128".into(),
            LLVMPPC_FP128TypeKind => "ppc_fp128".into(),
            LLVMLabelTypeKind => "label".into(),
            LLVMMetadataTypeKind => "metadata".into(),
            LLVMTokenTypeKind => "token".into(),
            LLVMX86_MMXTypeKind | LLVMX86_AMXTypeKind | LLVMTargetExtTypeKind => "target".into(),
            LLVMIntegerTypeKind => format!("i{}", LLVMGetIntTypeWidth(ty)),
            LLVMPointerTypeKind => format!("ptr{}", LLVMGetPointerAddressSpace(ty)),
            LLVMArrayTypeKind => {
                let element = self.ty(LLVMGetElementType(ty));
                format!("[{} x {element}]", LLVMGetArrayLength2(ty))
            }
            LLVMVectorTypeKind => {
                let element = self.ty(LLVMGetElementType(ty));
                format!("<{} x {element}>", LLVMGetVectorSize(ty))
            }
            LLVMScalableVectorTypeKind => {
                let element = self.ty(LLVMGetElementType(ty));
                format!("<vscale x {} x {element}>", LLVMGetVectorSize(ty))
            }
            LLVMStructTypeKind if LLVMIsLiteralStruct(ty) != 0 => self.fields(ty),
            LLVMStructTypeKind => self.named(ty),
            LLVMFunctionTypeKind => {
                let mut params = vec![null_mut(); LLVMCountParamTypes(ty) as usize];
                LLVMGetParamTypes(ty, params.as_mut_ptr());
                let params = self.list(&params);
                let dots = if LLVMIsFunctionVarArg(ty) != 0 { "..." } else { "" };
                format!("{}({params}{dots})", self.ty(LLVMGetReturnType(ty)))
            }
        }
    }

    unsafe fn list(&mut self, types: &[LLVMTypeRef]) -> String {
        types.iter().map(|&ty| self.ty(ty) + ",").collect()
    }

    unsafe fn fields(&mut self, ty: LLVMTypeRef) -> String {
        let mut fields = vec![null_mut(); LLVMCountStructElementTypes(ty) as usize];
        LLVMGetStructElementTypes(ty, fields.as_mut_ptr());
        let fields = self.list(&fields);
        if LLVMIsPackedStruct(ty) != 0 {
            format!("<{{{fields}}}>")
        } else {
            format!("{{{fields}}}")
        }
    }

    unsafe fn named(&mut self, ty: LLVMTypeRef) -> String {
        let start = LLVMGetStructName(ty);
        let name = if start.is_null() {
            let next = self.unnamed.len();
            format!("%#{}", self.unnamed.entry(ty).or_insert(next))
        } else {
            format!("%{}", text(start, CStr::from_ptr(start).count_bytes()))
        };
        if !self.structures.contains_key(&name) {
            self.structures.insert(name.clone(), String::new());
            let body = match LLVMIsOpaqueStruct(ty) != 0 {
                true => "opaque".into(),
                false => format!("{} {}", self.fields(ty), self.layout(ty)),
            };
            self.structures.insert(name.clone(), body);
        }
        name
    }

    /// Size, bytes stored, alignment and the offsets of the fields.
    pub(super) unsafe fn layout(&mut self, ty: LLVMTypeRef) -> String {
        if LLVMTypeIsSized(ty) == 0 {
            return "unsized".into();
        }
        let (size, stored) = (LLVMABISizeOfType(self.data, ty), LLVMStoreSizeOfType(self.data, ty));
        let mut out = format!("{size}/{stored}/{}", LLVMABIAlignmentOfType(self.data, ty));
        if LLVMGetTypeKind(ty) == LLVMStructTypeKind {
            for index in 0..LLVMCountStructElementTypes(ty) {
                out += &format!(" {}", LLVMOffsetOfElement(self.data, ty, index));
            }
        }
        out
    }
}
