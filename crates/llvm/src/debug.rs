//! What the debug information says: places, variables and the shape of types.

use crate::ast::Module;
use crate::metadata::{Field, MetadataId, Node};

/// A chain of scopes, types or inlinings longer than this is taken to be a cycle.
const MAX_CHAIN: usize = 64;

/// A place in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourcePlace {
    /// File, with the directory of the compilation unless that is `.` or the name is absolute.
    pub file: String,
    /// Line, from 1; 0 if unknown.
    pub line: u32,
    /// Column, from 1; 0 if unknown.
    pub column: u32,
    /// Name of the function.
    pub function: String,
    /// The place it was inlined at.
    pub inlined_at: Option<MetadataId>,
}

/// A variable of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceVariable {
    /// Name.
    pub name: String,
    /// Its type.
    pub ty: Option<MetadataId>,
    /// Line of the declaration; 0 if unknown.
    pub line: u32,
    /// File of the declaration.
    pub file: String,
}

/// The shape of a source type, typedefs and qualifiers removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A number, a pointer, an enumeration …
    Scalar,
    /// A structure, class or union.
    Record {
        /// Its members in order; those of a union overlap.
        members: Vec<Member>,
        /// Whether it is a union.
        union: bool,
    },
    /// An array.
    Array {
        /// Type of the innermost elements.
        element: MetadataId,
        /// Lengths, outermost first; 0 where unknown.
        lengths: Vec<u64>,
    },
}

/// What the bits of a scalar mean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// It is not said, or nothing that is known here.
    Unknown,
    /// A number with a sign.
    Signed,
    /// A number without a sign.
    Unsigned,
    /// A floating-point number.
    Float,
    /// True or false.
    Boolean,
    /// `char`, which is used for letters; `signed char` and `unsigned char` are used for numbers.
    Character,
    /// A pointer or a reference.
    Pointer,
    /// One of several values with names.
    Enumeration(Vec<(i128, String)>),
}

/// A member of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Name; empty for an anonymous member or a base class.
    pub name: String,
    /// Type.
    pub ty: Option<MetadataId>,
    /// Offset in bits.
    pub bit_offset: u64,
    /// Size in bits.
    pub bits: u64,
}

/// Decodes a `DILocation`.
pub fn place(module: &Module, location: MetadataId) -> Option<SourcePlace> {
    let node = module.metadata.node(location)?;
    if !node.is("DILocation") {
        return None;
    }
    let (file, function) = scope(module, node.node("scope"));
    Some(SourcePlace {
        file,
        line: number(&node, "line"),
        column: number(&node, "column"),
        function,
        inlined_at: node.node("inlinedAt"),
    })
}

/// The place where a `DISubprogram` is declared.
pub fn subprogram(module: &Module, id: MetadataId) -> Option<SourcePlace> {
    let node = module.metadata.node(id)?;
    let (file, function) = scope(module, Some(id));
    let line = number(&node, "line");
    Some(SourcePlace { file, line, column: 0, function, inlined_at: None })
}

/// Decodes a `DILocalVariable`, `DIGlobalVariable` or `DIGlobalVariableExpression`.
pub fn variable(module: &Module, id: MetadataId) -> Option<SourceVariable> {
    let mut node = module.metadata.node(id)?;
    if let Some(inner) = node.node("var") {
        node = module.metadata.node(inner)?;
    }
    Some(SourceVariable {
        name: node.text("name")?.to_owned(),
        ty: node.node("type"),
        line: number(&node, "line"),
        file: node.node("file").map_or_else(String::new, |file| file_name(module, file)),
    })
}

/// What a pointer points to, if a type is one.
pub fn pointee(module: &Module, ty: MetadataId) -> Option<MetadataId> {
    let (_, node) = strip(module, ty)?;
    let is_pointer = node.text("tag") == Some("DW_TAG_pointer_type");
    node.node("baseType").filter(|_| is_pointer)
}

/// Size of a type in bits; 0 if unknown.
pub fn bits(module: &Module, ty: MetadataId) -> u64 {
    let Some((_, node)) = strip(module, ty) else { return 0 };
    wide(&node, "size")
}

/// The shape of a type.
pub fn shape(module: &Module, ty: MetadataId) -> Shape {
    let Some((_, node)) = strip(module, ty) else { return Shape::Scalar };
    match node.text("tag") {
        Some("DW_TAG_array_type") => match node.node("baseType") {
            Some(element) => Shape::Array { element, lengths: lengths(module, &node) },
            None => Shape::Scalar,
        },
        Some(tag @ ("DW_TAG_structure_type" | "DW_TAG_class_type" | "DW_TAG_union_type")) => {
            Shape::Record { members: members(module, &node), union: tag == "DW_TAG_union_type" }
        }
        _ => Shape::Scalar,
    }
}

/// What the bits of a scalar type mean.
pub fn encoding(module: &Module, ty: MetadataId) -> Encoding {
    let Some((_, node)) = strip(module, ty) else { return Encoding::Unknown };
    match (node.text("tag"), node.text("encoding")) {
        (
            Some("DW_TAG_pointer_type" | "DW_TAG_reference_type" | "DW_TAG_rvalue_reference_type"),
            _,
        ) => Encoding::Pointer,
        (Some("DW_TAG_enumeration_type"), _) => {
            let named = |one: &Node| Some((one.int("value")?, one.text("name")?.to_owned()));
            Encoding::Enumeration(elements(module, &node).iter().filter_map(named).collect())
        }
        (_, Some("DW_ATE_boolean")) => Encoding::Boolean,
        (_, Some("DW_ATE_float")) => Encoding::Float,
        (_, Some("DW_ATE_signed_char" | "DW_ATE_unsigned_char"))
            if node.text("name") == Some("char") =>
        {
            Encoding::Character
        }
        (_, Some("DW_ATE_signed" | "DW_ATE_signed_char")) => Encoding::Signed,
        (_, Some("DW_ATE_unsigned" | "DW_ATE_unsigned_char")) => Encoding::Unsigned,
        _ => Encoding::Unknown,
    }
}

/// A type as the source writes it, such as `const struct node *`, if it has a name. Functions and arrays
/// that are pointed to are not spelled out.
pub fn type_name(module: &Module, ty: MetadataId) -> Option<String> {
    let mut id = Some(ty);
    // What stands behind the name, read from the outside in.
    let mut behind = String::new();
    for _ in 0..MAX_CHAIN {
        let Some(ty) = id else { return Some(format!("void{behind}")) };
        let node = module.metadata.node(ty)?;
        if let Some(name) = node.text("name") {
            return Some(format!("{name}{behind}"));
        }
        let mark = match node.text("tag")? {
            "DW_TAG_pointer_type" => {
                // `int **`, not `int * *`.
                if behind.starts_with(" *") {
                    behind.remove(0);
                }
                " *"
            }
            "DW_TAG_reference_type" => " &",
            "DW_TAG_rvalue_reference_type" => " &&",
            "DW_TAG_const_type" => " const",
            "DW_TAG_volatile_type" => " volatile",
            "DW_TAG_atomic_type" => " _Atomic",
            "DW_TAG_restrict_type" => " restrict",
            _ => return None,
        };
        behind.insert_str(0, mark);
        id = node.node("baseType");
    }
    None
}

fn number(node: &Node, key: &str) -> u32 {
    node.int(key).and_then(|v| u32::try_from(v).ok()).unwrap_or(0)
}

fn wide(node: &Node, key: &str) -> u64 {
    node.int(key).and_then(|v| u64::try_from(v).ok()).unwrap_or(0)
}

/// Removes typedefs and qualifiers.
fn strip(module: &Module, ty: MetadataId) -> Option<(MetadataId, Node)> {
    let mut id = ty;
    for _ in 0..MAX_CHAIN {
        let node = module.metadata.node(id)?;
        match node.text("tag") {
            Some(
                "DW_TAG_typedef"
                | "DW_TAG_const_type"
                | "DW_TAG_volatile_type"
                | "DW_TAG_atomic_type"
                | "DW_TAG_restrict_type"
                | "DW_TAG_member",
            ) => id = node.node("baseType")?,
            _ => return Some((id, node)),
        }
    }
    None
}

fn elements(module: &Module, node: &Node) -> Vec<Node> {
    let Some(Node::Tuple(fields)) = node.node("elements").and_then(|id| module.metadata.node(id))
    else {
        return Vec::new();
    };
    let nodes = fields.iter().filter_map(|field| match field {
        Field::Node(id) => module.metadata.node(*id),
        _ => None,
    });
    nodes.collect()
}

fn members(module: &Module, node: &Node) -> Vec<Member> {
    let is_member = |n: &Node| {
        // A static member has neither; of several flags only the first is known.
        let is_placed = n.field("size").is_some() || n.field("offset").is_some();
        match n.text("tag") {
            Some("DW_TAG_member") => is_placed || n.field("flags").is_none(),
            tag => tag == Some("DW_TAG_inheritance"),
        }
    };
    let member = |n: &Node| {
        let own = wide(n, "size");
        let ty = n.node("baseType");
        let bits = if own == 0 { ty.map_or(0, |ty| bits(module, ty)) } else { own };
        let name = n.text("name").unwrap_or("").to_owned();
        Member { name, ty, bit_offset: wide(n, "offset"), bits }
    };
    elements(module, node).iter().filter(|n| is_member(n)).map(member).collect()
}

fn lengths(module: &Module, node: &Node) -> Vec<u64> {
    let ranges = elements(module, node);
    ranges.iter().filter(|n| n.is("DISubrange")).map(|n| wide(n, "count")).collect()
}

/// File and function of a scope.
fn scope(module: &Module, id: Option<MetadataId>) -> (String, String) {
    let mut id = id;
    let mut file = None;
    for _ in 0..MAX_CHAIN {
        let Some(node) = id.and_then(|id| module.metadata.node(id)) else { break };
        file = file.or_else(|| node.node("file"));
        if node.is("DISubprogram") {
            let name = node.text("name").unwrap_or("").to_owned();
            return (file.map_or_else(String::new, |f| file_name(module, f)), name);
        }
        id = node.node("scope");
    }
    (file.map_or_else(String::new, |f| file_name(module, f)), String::new())
}

fn file_name(module: &Module, id: MetadataId) -> String {
    let Some(node) = module.metadata.node(id) else { return String::new() };
    let name = node.text("filename").unwrap_or("");
    match node.text("directory") {
        None | Some("" | ".") => name.to_owned(),
        Some(_) if name.starts_with('/') => name.to_owned(),
        Some(directory) => format!("{directory}/{name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"
!1 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!2 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "Q", size: 320, elements: !3)
!3 = !{!29, !4, !5}
!4 = !DIDerivedType(tag: DW_TAG_member, name: "head", baseType: !1, size: 32)
!5 = !DIDerivedType(tag: DW_TAG_member, name: "nodes", baseType: !6, size: 256, offset: 64)
!6 = !DICompositeType(tag: DW_TAG_array_type, baseType: !7, size: 256, elements: !8)
!7 = !DIDerivedType(tag: DW_TAG_typedef, name: "node", baseType: !10)
!8 = !{!9}
!9 = !DISubrange(count: 2)
!10 = !DICompositeType(tag: DW_TAG_structure_type, name: "node", size: 128, elements: !11)
!11 = !{!12, !13}
!12 = !DIDerivedType(tag: DW_TAG_member, name: "value", baseType: !1, size: 32)
!13 = !DIDerivedType(tag: DW_TAG_member, name: "next", baseType: !14, size: 64, offset: 64)
!14 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !10, size: 64)
!15 = !DICompositeType(tag: DW_TAG_array_type, baseType: !1, size: 192, elements: !16)
!16 = !{!17, !18}
!17 = !DISubrange(count: 2)
!18 = !DISubrange(count: 3)
!19 = !DIDerivedType(tag: DW_TAG_typedef, name: "loop", baseType: !19)
!20 = !DILocation(line: 3, column: 7, scope: !21)
!21 = !DILexicalBlock(scope: !22, file: !23, line: 3)
!22 = distinct !DISubprogram(name: "push", file: !23, line: 2)
!23 = !DIFile(filename: "q.c", directory: "/src")
!24 = !DIDerivedType(tag: DW_TAG_atomic_type, baseType: !25)
!25 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 64)
!26 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !27, size: 64)
!27 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !28, size: 64)
!28 = !DIDerivedType(tag: DW_TAG_volatile_type, baseType: !1)
!29 = !DIDerivedType(tag: DW_TAG_member, name: "count", baseType: !1, flags: DIFlagPublic | DIFlagStaticMember)
"#;

    #[test]
    fn types_have_names() {
        let module = crate::read(TEXT).unwrap();
        let name = |ty| type_name(&module, MetadataId(ty));
        assert_eq!(name(1).as_deref(), Some("int"));
        assert_eq!(name(7).as_deref(), Some("node"));
        assert_eq!(name(14).as_deref(), Some("node *"));
        assert_eq!(name(24).as_deref(), Some("void * _Atomic"));
        assert_eq!(name(26).as_deref(), Some("int volatile **"));
        assert_eq!(name(6), None);
    }

    #[test]
    fn scalars_have_encodings() {
        let text = r#"
!1 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!2 = !DIDerivedType(tag: DW_TAG_typedef, name: "word", baseType: !3)
!3 = !DIBasicType(name: "unsigned char", size: 8, encoding: DW_ATE_unsigned_char)
!4 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!5 = !DIDerivedType(tag: DW_TAG_atomic_type, baseType: !6)
!6 = !DICompositeType(tag: DW_TAG_enumeration_type, baseType: !1, size: 32, elements: !7)
!7 = !{!8, !9}
!8 = !DIEnumerator(name: "LOW", value: -1)
!9 = !DIEnumerator(name: "HIGH", value: 7)
!10 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !1, size: 64)
!11 = !DIBasicType(name: "double", size: 64, encoding: DW_ATE_float)
!12 = !DIBasicType(name: "_Bool", size: 8, encoding: DW_ATE_boolean)
"#;
        let module = crate::read(text).unwrap();
        let of = |ty| encoding(&module, MetadataId(ty));
        assert_eq!(
            [of(1), of(2), of(4)],
            [Encoding::Signed, Encoding::Unsigned, Encoding::Character]
        );
        let names = vec![(-1, "LOW".to_owned()), (7, "HIGH".to_owned())];
        assert_eq!(of(5), Encoding::Enumeration(names));
        assert_eq!(
            [of(10), of(11), of(12)],
            [Encoding::Pointer, Encoding::Float, Encoding::Boolean]
        );
    }

    #[test]
    fn locations_name_file_and_function() {
        let module = crate::read(TEXT).unwrap();
        let place = place(&module, MetadataId(20)).unwrap();
        assert_eq!((place.file.as_str(), place.line, place.column), ("/src/q.c", 3, 7));
        assert_eq!(place.function, "push");
        assert_eq!(subprogram(&module, MetadataId(22)).unwrap().line, 2);
    }
}
