//! Types and layouts.

use super::Ours;
use norn_llvm::types::NamedBody;
use norn_llvm::{FloatKind, Type, TypeId};

impl Ours<'_> {
    pub(super) fn ty(&mut self, id: TypeId) -> String {
        let module = self.module;
        match module.types.get(id) {
            Type::Void => "void".into(),
            Type::Label => "label".into(),
            Type::Metadata => "metadata".into(),
            Type::Token => "token".into(),
            Type::Target(_) => "target".into(),
            Type::Int(bits) => format!("i{bits}"),
            Type::Float(kind) => float(*kind).into(),
            Type::Ptr(space) => format!("ptr{space}"),
            Type::Array { len, element } => format!("[{len} x {}]", self.ty(*element)),
            Type::Vector { len, scalable, element } => {
                let scale = if *scalable { "vscale x " } else { "" };
                format!("<{scale}{len} x {}>", self.ty(*element))
            }
            Type::Struct { fields, packed } => self.fields(fields, *packed),
            Type::Named(index) => self.named(id, *index),
            Type::Function { ret, params, varargs } => {
                let params = self.list(params);
                format!("{}({params}{})", self.ty(*ret), if *varargs { "..." } else { "" })
            }
        }
    }

    fn list(&mut self, types: &[TypeId]) -> String {
        types.iter().map(|&ty| self.ty(ty) + ",").collect()
    }

    fn fields(&mut self, fields: &[TypeId], packed: bool) -> String {
        let fields = self.list(fields);
        if packed { format!("<{{{fields}}}>") } else { format!("{{{fields}}}") }
    }

    fn named(&mut self, id: TypeId, index: u32) -> String {
        let named = self.module.types.named(index);
        let text = self.module.names.text(named.name);
        let name = if text.bytes().all(|b| b.is_ascii_digit()) {
            let next = self.unnamed.len();
            format!("%#{}", self.unnamed.entry(index).or_insert(next))
        } else {
            format!("%{text}")
        };
        if !self.structures.contains_key(&name) {
            self.structures.insert(name.clone(), String::new());
            let body = match named.body {
                NamedBody::Body(body) => format!("{} {}", self.ty(body), self.layout(id)),
                _ => "opaque".into(),
            };
            self.structures.insert(name.clone(), body);
        }
        name
    }

    /// Size, bytes stored, alignment and the offsets of the fields.
    pub(super) fn layout(&mut self, id: TypeId) -> String {
        let module = self.module;
        let Some(layout) = module.layout.of(id) else { return "unsized".into() };
        let mut text = format!("{}/{}/{}", layout.size, layout.store_size, layout.align);
        if let Type::Struct { fields, .. } = module.types.resolve(id) {
            for index in 0..fields.len() {
                match module.layout.field_offset(&module.types, id, index) {
                    Some(offset) => text += &format!(" {offset}"),
                    None => text += " ?",
                }
            }
        }
        text
    }
}

fn float(kind: FloatKind) -> &'static str {
    match kind {
        FloatKind::Half => "half",
        FloatKind::Bfloat => "bfloat",
        FloatKind::Float => "float",
        FloatKind::Double => "double",
        FloatKind::X86Fp80 => "x86_fp80",
        FloatKind::Fp128 => "fp128",
        FloatKind::PpcFp128 => "ppc_fp128",
    }
}
