//! Puts functions that are alike one after another, so that a program compresses better: a step back to what is repeated is
//! shorter. What it does stays the same. Names and other remarks, which a browser does not need, are left out.

use anyhow::{Context, Result, anyhow};
use std::collections::HashMap;
use wasm_encoder::reencode::{Error, Reencode};
use wasm_encoder::{CodeSection, FunctionSection, Module};
use wasmparser::{CodeSectionReader, CustomSectionReader, FunctionSectionReader, Parser, Payload, TypeRef};

/// The same program, with its functions in another order.
///
/// # Errors
/// If this is no program in WebAssembly.
pub fn alike_together(program: &[u8]) -> Result<Vec<u8>> {
    let (mut imported, mut bodies) = (0, vec![]);
    for payload in Parser::new(0).parse_all(program) {
        match payload? {
            Payload::ImportSection(imports) => {
                for import in imports.into_imports() {
                    imported += u32::from(matches!(import?.ty, TypeRef::Func(_)));
                }
            }
            Payload::CodeSectionEntry(body) => bodies.push(&program[body.range()]),
            _ => {}
        }
    }
    let order = order(&bodies);
    let mut places = vec![0; order.len()];
    for (place, &function) in (imported..).zip(&order) {
        places[function] = place;
    }
    let mut module = Module::new();
    Ordered { imported, order, places }
        .parse_core_module(&mut module, Parser::new(0), program)
        .map_err(|e| anyhow!("{e}"))
        .context("the functions cannot be put in order")?;
    Ok(module.finish())
}

/// Writes a program anew, with its own functions in another order.
struct Ordered {
    /// How many functions are imported; they come first, as they are.
    imported: u32,
    /// The functions, by their place in the program that is read.
    order: Vec<usize>,
    /// The new index of each.
    places: Vec<u32>,
}

impl Ordered {
    fn ordered<T, E>(&self, all: impl Iterator<Item = Result<T, E>>) -> Result<Vec<T>, E> {
        let mut all = all.map(|one| one.map(Some)).collect::<Result<Vec<_>, E>>()?;
        Ok(self.order.iter().filter_map(|&n| all[n].take()).collect())
    }
}

impl Reencode for Ordered {
    type Error = std::convert::Infallible;

    fn function_index(&mut self, function: u32) -> Result<u32, Error> {
        Ok(function.checked_sub(self.imported).map_or(function, |own| self.places[own as usize]))
    }

    fn parse_function_section(
        &mut self,
        functions: &mut FunctionSection,
        section: FunctionSectionReader<'_>,
    ) -> Result<(), Error> {
        for of_type in self.ordered(section.into_iter())? {
            functions.function(of_type);
        }
        Ok(())
    }

    fn parse_custom_section(&mut self, _: &mut Module, _: CustomSectionReader<'_>) -> Result<(), Error> {
        Ok(())
    }

    fn parse_code_section(
        &mut self,
        code: &mut CodeSection,
        section: CodeSectionReader<'_>,
    ) -> Result<(), Error> {
        for body in self.ordered(section.into_iter())? {
            self.parse_function_body(code, body)?;
        }
        Ok(())
    }
}

/// Bytes that make a piece of a function: some two or three instructions.
const PIECE: usize = 6;

/// What more functions than this share says nothing about which are alike.
const COMMON: usize = 1000;

/// An order in which each is followed by the one that is most like it: by the pieces that both have, of all that they have.
/// The first, and where nothing is alike the next, is the largest that is left.
fn order(bodies: &[&[u8]]) -> Vec<usize> {
    let mut known = HashMap::new();
    let mut holders: Vec<Vec<usize>> = vec![];
    let pieces: Vec<Vec<usize>> = (bodies.iter().enumerate())
        .map(|(n, body)| {
            let mut own = vec![];
            for piece in body.windows(PIECE) {
                let id = *known.entry(piece).or_insert(holders.len());
                if id == holders.len() {
                    holders.push(vec![]);
                }
                if holders[id].last() != Some(&n) {
                    holders[id].push(n);
                    own.push(id);
                }
            }
            own
        })
        .collect();
    let mut left: Vec<usize> = (0..bodies.len()).collect();
    left.sort_by_key(|&n| bodies[n].len());
    let (mut done, mut shared) = (vec![false; bodies.len()], vec![0usize; bodies.len()]);
    let mut order = Vec::with_capacity(bodies.len());
    let mut next = left.pop();
    while let Some(this) = next {
        done[this] = true;
        order.push(this);
        let mut alike = vec![];
        for &other in pieces[this].iter().map(|&id| &holders[id]).filter(|all| all.len() <= COMMON).flatten()
        {
            if !done[other] {
                if shared[other] == 0 {
                    alike.push(other);
                }
                shared[other] += 1;
            }
        }
        let likeness =
            |other: &usize| shared[*other] * 1_000_000 / (pieces[this].len() + pieces[*other].len());
        next = alike.iter().copied().max_by_key(|other| (likeness(other), std::cmp::Reverse(*other)));
        for other in alike {
            shared[other] = 0;
        }
        while next.is_none() {
            match left.pop() {
                Some(n) if done[n] => {}
                Some(n) => next = Some(n),
                None => break,
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The functions of a program by their bodies, in their order.
    fn check(bodies: &[&str], expected: &[usize]) {
        let bodies: Vec<&[u8]> = bodies.iter().map(|body| body.as_bytes()).collect();
        assert_eq!(order(&bodies), expected);
    }

    #[test]
    fn each_is_followed_by_what_is_most_like_it() {
        check(&["abcdefghij!", "12345678901234", "abcdefghij", "xbcdefghiy", "1234567"], &[1, 4, 0, 2, 3]);
        check(&[], &[]);
        check(&["a", "b"], &[1, 0]);
    }

    /// A program of three functions, the first of which is called by the third and exported, and one that is imported.
    fn program() -> Vec<u8> {
        use wasm_encoder::{
            CodeSection, EntityType, ExportKind, ExportSection, Function, FunctionSection, ImportSection,
            TypeSection, ValType,
        };
        let (mut types, mut imports) = (TypeSection::new(), ImportSection::new());
        types.ty().function([], []);
        types.ty().function([], [ValType::I64]);
        imports.import("page", "seen", EntityType::Function(0));
        let (mut functions, mut exports, mut code) =
            (FunctionSection::new(), ExportSection::new(), CodeSection::new());
        for (of_type, calls, number) in [(1, 0, 11), (1, 0, 1 << 60), (1, 1, 12)] {
            functions.function(of_type);
            let mut body = Function::new([]);
            body.instructions().call(calls);
            if calls == 1 {
                body.instructions().drop();
            }
            body.instructions().i64_const(number).end();
            code.function(&body);
        }
        exports.export("eleven", ExportKind::Func, 1);
        exports.export("twelve", ExportKind::Func, 3);
        let mut module = Module::new();
        module.section(&types).section(&imports).section(&functions).section(&exports).section(&code);
        module.finish()
    }

    #[test]
    fn what_is_called_and_exported_is_the_same_function_as_before() -> Result<()> {
        /// What an export gives, and what it calls, by the numbers that the functions give.
        fn said(program: &[u8]) -> Result<Vec<String>> {
            let mut module = walrus::Module::from_buffer(program)?;
            let exports: Vec<_> = module.exports.iter().map(|e| (e.name.clone(), e.item)).collect();
            let mut said = vec![];
            for (name, item) in exports {
                let walrus::ExportItem::Function(id) = item else { continue };
                let mut number = |id| {
                    let function = module.funcs.get_mut(id).kind.unwrap_local_mut();
                    let entry = function.entry_block();
                    let mut found = (None, None);
                    for (instruction, _) in &function.block(entry).instrs {
                        match instruction {
                            walrus::ir::Instr::Const(walrus::ir::Const {
                                value: walrus::ir::Value::I64(n),
                            }) => found.0 = Some(*n),
                            walrus::ir::Instr::Call(call) => found.1 = Some(call.func),
                            _ => {}
                        }
                    }
                    found
                };
                let (own, calls) = number(id);
                let of_called = calls.filter(|_| name == "twelve").and_then(|called| number(called).0);
                said.push(format!("{name} {own:?} {of_called:?}"));
            }
            Ok(said)
        }
        let (before, after) = (program(), alike_together(&program())?);
        assert_ne!(before, after, "the largest comes first");
        assert_eq!(before.len(), after.len());
        assert_eq!(said(&after)?, ["eleven Some(11) None", "twelve Some(12) Some(11)"]);
        assert_eq!(said(&before)?, said(&after)?);
        Ok(())
    }

    #[test]
    fn what_is_no_program_is_refused() {
        assert!(alike_together(b"no program").is_err());
    }
}
