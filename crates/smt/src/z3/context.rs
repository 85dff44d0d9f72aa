//! A Z3 context and its terms, with a safe interface to reference counts and errors.
//!
//! Invariant: every pointer here was made by the context next to it and is counted, so it lives as
//! long as its owner. Z3 reports errors by a code that is read after the call; no error handler
//! aborts.
#![allow(unsafe_code)]

use std::ffi::{CStr, CString, c_char, c_uint};
use std::fmt;
use std::ptr;
use std::rc::Rc;

use super::ffi::{self, Api, AstPtr, NaryOp, TwoOp};
use super::library;
use super::watch::{Interrupt, Watch};
use crate::{SmtError, Sort};

/// A Z3 context, which owns Z3 objects; clones share it.
#[derive(Clone)]
pub struct Context(Rc<Inner>);

struct Inner {
    api: &'static Api,
    raw: *mut ffi::Context,
    watch: Watch,
}

impl Drop for Inner {
    fn drop(&mut self) {
        // The watcher must not interrupt a deleted context.
        self.watch.close();
        // SAFETY: `raw` is a live context, and everything that relied on it has been dropped.
        unsafe { self.api.Z3_del_context(self.raw) }
    }
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context").finish_non_exhaustive()
    }
}

/// An error handler that does nothing, since errors are read by code.
extern "C" fn ignore(_: *mut ffi::Context, _: c_uint) {}

/// A C string; zero bytes, which it cannot contain, are removed.
pub(super) fn c_string(text: &str) -> CString {
    CString::new(text.replace('\0', "")).unwrap_or_default()
}

/// Copies the text at a pointer from Z3, which is valid only until the next call.
///
/// # Safety
/// The pointer must be null or point to a string that ends with a zero byte.
pub(super) unsafe fn copied(raw: *const c_char) -> String {
    if raw.is_null() {
        return String::new();
    }
    // SAFETY: guaranteed by the caller.
    unsafe { CStr::from_ptr(raw) }.to_string_lossy().into_owned()
}

/// The version of the library: major, minor, build.
///
/// # Errors
/// If there is no library.
pub fn version() -> Result<(u32, u32, u32), SmtError> {
    Ok(library::api()?.version)
}

impl Context {
    /// A new context.  The first one of the process loads the library.
    ///
    /// # Errors
    /// If there is no library.
    pub fn new() -> Result<Self, SmtError> {
        let api = library::api()?;
        // SAFETY: the configuration lives until the context is made; the handler is a function.
        unsafe {
            let config = api.Z3_mk_config();
            let raw = api.Z3_mk_context_rc(config);
            api.Z3_del_config(config);
            api.Z3_set_error_handler(raw, Some(ignore));
            Ok(Self(Rc::new(Inner { api, raw, watch: Watch::new(Interrupt { api, raw }) })))
        }
    }

    pub(super) fn api(&self) -> &'static Api {
        self.0.api
    }

    pub(super) fn raw(&self) -> *mut ffi::Context {
        self.0.raw
    }

    pub(super) fn watch(&self) -> &Watch {
        &self.0.watch
    }

    /// The value, unless the last call failed.
    pub(super) fn checked<T>(&self, value: T) -> Result<T, SmtError> {
        // SAFETY: a live context; the text is copied at once.
        unsafe {
            match self.api().Z3_get_error_code(self.raw()) {
                0 => Ok(value),
                code => Err(SmtError::Z3(copied(self.api().Z3_get_error_msg(self.raw(), code)))),
            }
        }
    }

    /// Takes a reference to a term that Z3 has just returned.
    pub(super) fn own(&self, raw: AstPtr) -> Result<Ast, SmtError> {
        self.checked(())?;
        if raw.is_null() {
            return Err(SmtError::Z3("a term is missing".into()));
        }
        // SAFETY: a live term of this context.
        unsafe { self.api().Z3_inc_ref(self.raw(), raw) };
        Ok(Ast { context: self.clone(), raw })
    }

    pub(super) fn symbol(&self, name: &str) -> *mut ffi::Symbol {
        let name = c_string(name);
        // SAFETY: Z3 copies the string.
        unsafe { self.api().Z3_mk_string_symbol(self.raw(), name.as_ptr()) }
    }

    pub(super) fn raw_sort(&self, sort: Sort) -> *mut ffi::Sort {
        // SAFETY: a live context.  Sorts of the basic theories live as long as the context, since
        // every term that is made of them next refers to them.
        unsafe {
            match sort {
                Sort::Bool => self.api().Z3_mk_bool_sort(self.raw()),
                Sort::Int => self.api().Z3_mk_int_sort(self.raw()),
                Sort::Bits(width) => self.api().Z3_mk_bv_sort(self.raw(), width),
            }
        }
    }

    /// A constant symbol of Z3, to represent a leaf.
    pub fn leaf(&self, name: &str, sort: Sort) -> Result<Ast, SmtError> {
        // SAFETY: symbol and sort are of this context.
        self.own(unsafe {
            self.api().Z3_mk_const(self.raw(), self.symbol(name), self.raw_sort(sort))
        })
    }

    pub fn bool(&self, value: bool) -> Result<Ast, SmtError> {
        // SAFETY: a live context.
        self.own(unsafe {
            if value {
                self.api().Z3_mk_true(self.raw())
            } else {
                self.api().Z3_mk_false(self.raw())
            }
        })
    }

    pub fn bits(&self, width: u32, value: u64) -> Result<Ast, SmtError> {
        let sort = self.raw_sort(Sort::Bits(width));
        // SAFETY: the sort is of this context.
        self.own(unsafe { self.api().Z3_mk_unsigned_int64(self.raw(), value, sort) })
    }

    pub fn int(&self, value: i128) -> Result<Ast, SmtError> {
        let digits = c_string(&value.to_string());
        let sort = self.raw_sort(Sort::Int);
        // SAFETY: Z3 reads the string during the call.
        self.own(unsafe { self.api().Z3_mk_numeral(self.raw(), digits.as_ptr(), sort) })
    }

    pub fn two(&self, op: TwoOp, a: &Ast, b: &Ast) -> Result<Ast, SmtError> {
        // SAFETY: live terms of this context; Z3 itself checks their sorts.
        self.own(unsafe { (op.0)(self.api())(self.raw(), a.raw, b.raw) })
    }

    pub fn nary(&self, op: NaryOp, all: &[Ast]) -> Result<Ast, SmtError> {
        let raw = pointers(all);
        // SAFETY: as many live terms as stated.
        self.own(unsafe { (op.0)(self.api())(self.raw(), count(&raw), raw.as_ptr()) })
    }

    pub fn not(&self, a: &Ast) -> Result<Ast, SmtError> {
        // SAFETY: a live term of this context, as in all methods below.
        self.own(unsafe { self.api().Z3_mk_not(self.raw(), a.raw) })
    }

    pub fn ite(&self, c: &Ast, a: &Ast, b: &Ast) -> Result<Ast, SmtError> {
        // SAFETY: as above.
        self.own(unsafe { self.api().Z3_mk_ite(self.raw(), c.raw, a.raw, b.raw) })
    }

    pub fn bv_negate(&self, a: &Ast) -> Result<Ast, SmtError> {
        // SAFETY: as above.
        self.own(unsafe { self.api().Z3_mk_bvneg(self.raw(), a.raw) })
    }

    pub fn bv_not(&self, a: &Ast) -> Result<Ast, SmtError> {
        // SAFETY: as above.
        self.own(unsafe { self.api().Z3_mk_bvnot(self.raw(), a.raw) })
    }

    pub fn extract(&self, high: u32, low: u32, a: &Ast) -> Result<Ast, SmtError> {
        // SAFETY: as above.
        self.own(unsafe { self.api().Z3_mk_extract(self.raw(), high, low, a.raw) })
    }

    /// Extension by `more` bits.
    pub fn extend(&self, signed: bool, more: u32, a: &Ast) -> Result<Ast, SmtError> {
        // SAFETY: as above.
        self.own(unsafe {
            if signed {
                self.api().Z3_mk_sign_ext(self.raw(), more, a.raw)
            } else {
                self.api().Z3_mk_zero_ext(self.raw(), more, a.raw)
            }
        })
    }

    /// `body` for all values of the constant symbols `bound`.
    pub fn for_all(&self, bound: &[Ast], body: &Ast) -> Result<Ast, SmtError> {
        if bound.is_empty() {
            return Ok(body.clone());
        }
        let raw = pointers(bound);
        // SAFETY: live constant symbols, as many as stated, and no patterns.
        self.own(unsafe {
            self.api().Z3_mk_forall_const(
                self.raw(),
                0,
                count(&raw),
                raw.as_ptr(),
                0,
                ptr::null(),
                body.raw,
            )
        })
    }
}

/// A reference-counted term of Z3.
pub struct Ast {
    context: Context,
    raw: AstPtr,
}

/// The structure of a term of Z3.
#[derive(Debug, Clone)]
pub enum View {
    /// A number, in decimal digits.
    Numeral(String),
    /// A variable of the enclosing quantifier or cover.
    Bound(u32),
    /// A named operator with its parameters (such as the bits of an extraction) and operands.
    Application { name: String, parameters: Vec<u32>, children: Vec<Ast> },
    /// A quantifier or anything else.
    Other,
}

impl Ast {
    pub(super) fn raw(&self) -> AstPtr {
        self.raw
    }

    /// The address, which is a unique key while the term lives.
    pub fn key(&self) -> usize {
        self.raw as usize
    }

    /// The structure of the term.
    pub fn view(&self) -> Result<View, SmtError> {
        let (z3, c) = (self.context.api(), self.context.raw());
        // SAFETY: a live term; each accessor fits the kind that was found.
        unsafe {
            Ok(match z3.Z3_get_ast_kind(c, self.raw) {
                ffi::NUMERAL_AST => View::Numeral(copied(z3.Z3_get_numeral_string(c, self.raw))),
                ffi::VAR_AST => View::Bound(z3.Z3_get_index_value(c, self.raw)),
                ffi::APP_AST => {
                    let declaration = z3.Z3_get_app_decl(c, self.raw);
                    let name =
                        copied(z3.Z3_get_symbol_string(c, z3.Z3_get_decl_name(c, declaration)));
                    let parameters = if matches!(
                        name.as_str(),
                        "extract" | "sign_extend" | "zero_extend" | "bit2bool"
                    ) {
                        (0..z3.Z3_get_decl_num_parameters(c, declaration))
                            .map(|i| z3.Z3_get_decl_int_parameter(c, declaration, i))
                            .filter_map(|p| u32::try_from(p).ok())
                            .collect()
                    } else {
                        Vec::new()
                    };
                    let children = (0..z3.Z3_get_app_num_args(c, self.raw))
                        .map(|i| self.context.own(z3.Z3_get_app_arg(c, self.raw, i)))
                        .collect::<Result<_, _>>()?;
                    View::Application { name, parameters, children }
                }
                _ => View::Other,
            })
        }
    }

    /// The sort, if [`Sort`] has it.
    pub fn sort(&self) -> Option<Sort> {
        let (z3, c) = (self.context.api(), self.context.raw());
        // SAFETY: a live term and its sort.
        unsafe {
            let sort = z3.Z3_get_sort(c, self.raw);
            match z3.Z3_get_sort_kind(c, sort) {
                1 => Some(Sort::Bool),
                2 => Some(Sort::Int),
                4 => Some(Sort::Bits(z3.Z3_get_bv_sort_size(c, sort))),
                _ => None,
            }
        }
    }
}

impl Clone for Ast {
    fn clone(&self) -> Self {
        // SAFETY: a live term of this context.
        unsafe { self.context.api().Z3_inc_ref(self.context.raw(), self.raw) };
        Self { context: self.context.clone(), raw: self.raw }
    }
}

impl Drop for Ast {
    fn drop(&mut self) {
        // SAFETY: counted when it was made.
        unsafe { self.context.api().Z3_dec_ref(self.context.raw(), self.raw) }
    }
}

impl fmt::Debug for Ast {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // SAFETY: a live term; the text is copied at once.
        f.write_str(&unsafe {
            copied(self.context.api().Z3_ast_to_string(self.context.raw(), self.raw))
        })
    }
}

pub(super) fn pointers(all: &[Ast]) -> Vec<AstPtr> {
    all.iter().map(|a| a.raw).collect()
}

pub(super) fn count<T>(all: &[T]) -> c_uint {
    c_uint::try_from(all.len()).expect("fewer than 2^32 operands")
}
