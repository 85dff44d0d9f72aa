//! The necessary part of Z3's C interface, declared by hand: no generated bindings, no headers.
//!
//! It is a table of function pointers ([`Api`]), which are looked up once, when the library is
//! loaded; so who has a table has a library, and a call costs what it costs with a linker.  There
//! are only functions that Z3 has had since [`OLDEST`], so the library of a Linux distribution
//! suffices.  Operators are recognised by name rather than by `Z3_decl_kind`, whose numbers differ
//! between versions.
#![allow(unsafe_code, non_snake_case)]

use std::ffi::{c_char, c_int, c_uint};

use libloading::Library;

use crate::loading::Flaw;

/// The oldest version that has all these functions.
pub const OLDEST: (u32, u32, u32) = (4, 8, 12);

macro_rules! handles {
    ($($name:ident)*) => {$(
        /// An opaque object of Z3.
        #[repr(C)]
        #[derive(Debug)]
        pub struct $name {
            private: [u8; 0],
        }
    )*};
}

handles! {
    Tactic Config Context Symbol Sort FuncDecl AstRaw Solver Model Params AstVector Fixedpoint Pattern
}

pub type AstPtr = *mut AstRaw;

pub const TRUE: c_int = 1;
pub const FALSE: c_int = -1;

pub const NUMERAL_AST: c_uint = 0;
pub const APP_AST: c_uint = 1;
pub const VAR_AST: c_uint = 2;

pub type ErrorHandler = extern "C" fn(*mut Context, c_uint);

type Nary = unsafe extern "C" fn(*mut Context, c_uint, *const AstPtr) -> AstPtr;
type Two = unsafe extern "C" fn(*mut Context, AstPtr, AstPtr) -> AstPtr;

/// An operator with any number of operands: its place in the table.
#[derive(Debug, Clone, Copy)]
pub struct NaryOp(pub(super) fn(&Api) -> Nary);

/// An operator with two operands: its place in the table.
#[derive(Debug, Clone, Copy)]
pub struct TwoOp(pub(super) fn(&Api) -> Two);

macro_rules! interface {
    (
        two { $($two:ident = $of_two:ident;)* }
        nary { $($nary:ident = $of_nary:ident;)* }
        $(fn $name:ident($($argument:ident: $type:ty),* $(,)?) $(-> $result:ty)?;)*
    ) => {
        $(pub const $two: TwoOp = TwoOp(|api| api.$of_two);)*
        $(pub const $nary: NaryOp = NaryOp(|api| api.$of_nary);)*

        /// The functions of a library that is loaded.  The signatures are those of z3_api.h,
        /// z3_fpa.h and z3_fixedpoint.h.
        #[derive(Debug)]
        pub struct Api {
            $($of_two: Two,)*
            $($of_nary: Nary,)*
            $(pub(super) $name: unsafe extern "C" fn($($type),*) $(-> $result)?,)*
            pub(super) version: (u32, u32, u32),
            /// The functions are there as long as it is.
            _library: Library,
        }

        impl Api {
            /// Looks up everything.
            pub(super) fn of(library: Library) -> Result<Self, Flaw> {
                // SAFETY: each field is a function with the signature that Z3's headers give to
                // that name.
                unsafe {
                    Ok(Self {
                        version: version(&library)?,
                        $($of_two: function(&library, stringify!($of_two))?,)*
                        $($of_nary: function(&library, stringify!($of_nary))?,)*
                        $($name: function(&library, stringify!($name))?,)*
                        _library: library,
                    })
                }
            }

            $(
                /// Z3's function.
                ///
                /// # Safety
                /// As z3_api.h says: pointers live, and are of one context.
                // Some functions are only taken as values.
                #[allow(dead_code)]
                #[inline]
                #[allow(clippy::too_many_arguments)]
                pub unsafe fn $name(&self, $($argument: $type),*) $(-> $result)? {
                    // SAFETY: passed on to the caller.
                    unsafe { (self.$name)($($argument),*) }
                }
            )*
        }
    };
}

/// The function of that name.
///
/// # Safety
/// `F` must be the type of a function, and that of this one.
unsafe fn function<F: Copy>(library: &Library, name: &'static str) -> Result<F, Flaw> {
    // SAFETY: guaranteed by the caller.
    unsafe { library.get::<F>(name.as_bytes()) }.map(|f| *f).map_err(|_| Flaw::Incomplete(name))
}

/// The version of the library: major, minor, build.  It is asked first, for an old one lacks
/// functions.
fn version(library: &Library) -> Result<(u32, u32, u32), Flaw> {
    let mut v = [0; 4];
    let [a, b, c, d] = &mut v;
    type GetVersion = unsafe extern "C" fn(*mut c_uint, *mut c_uint, *mut c_uint, *mut c_uint);
    // SAFETY: the signature of z3_api.h, and four pointers to numbers.
    unsafe { function::<GetVersion>(library, "Z3_get_version")?(a, b, c, d) };
    let version = (v[0], v[1], v[2]);
    if version < OLDEST { Err(Flaw::Old { found: version, needed: OLDEST }) } else { Ok(version) }
}

interface! {
    two {
        EQ = Z3_mk_eq;
        BV_ADD = Z3_mk_bvadd;
        BV_SUB = Z3_mk_bvsub;
        BV_MUL = Z3_mk_bvmul;
        BV_UDIV = Z3_mk_bvudiv;
        BV_SDIV = Z3_mk_bvsdiv;
        BV_UREM = Z3_mk_bvurem;
        BV_SREM = Z3_mk_bvsrem;
        BV_AND = Z3_mk_bvand;
        BV_OR = Z3_mk_bvor;
        BV_XOR = Z3_mk_bvxor;
        BV_SHL = Z3_mk_bvshl;
        BV_LSHR = Z3_mk_bvlshr;
        BV_ASHR = Z3_mk_bvashr;
        BV_ULT = Z3_mk_bvult;
        BV_ULE = Z3_mk_bvule;
        BV_SLT = Z3_mk_bvslt;
        BV_SLE = Z3_mk_bvsle;
        CONCAT = Z3_mk_concat;
        LE = Z3_mk_le;
        FP_LT = Z3_mk_fpa_lt;
        FP_LE = Z3_mk_fpa_leq;
        FP_EQ = Z3_mk_fpa_eq;
        FP_SQRT = Z3_mk_fpa_sqrt;
        FP_ROUND = Z3_mk_fpa_round_to_integral;
        IMPLIES = Z3_mk_implies;
    }
    nary {
        AND = Z3_mk_and;
        OR = Z3_mk_or;
        ADD = Z3_mk_add;
        MUL = Z3_mk_mul;
    }

    fn Z3_mk_config() -> *mut Config;
    fn Z3_del_config(c: *mut Config);
    fn Z3_mk_context_rc(c: *mut Config) -> *mut Context;
    fn Z3_del_context(c: *mut Context);
    fn Z3_set_error_handler(c: *mut Context, handler: Option<ErrorHandler>);
    fn Z3_get_error_code(c: *mut Context) -> c_uint;
    fn Z3_get_error_msg(c: *mut Context, error: c_uint) -> *const c_char;
    fn Z3_interrupt(c: *mut Context);

    fn Z3_inc_ref(c: *mut Context, a: AstPtr);
    fn Z3_dec_ref(c: *mut Context, a: AstPtr);
    fn Z3_mk_string_symbol(c: *mut Context, s: *const c_char) -> *mut Symbol;
    fn Z3_get_symbol_string(c: *mut Context, s: *mut Symbol) -> *const c_char;
    fn Z3_mk_bool_sort(c: *mut Context) -> *mut Sort;
    fn Z3_mk_int_sort(c: *mut Context) -> *mut Sort;
    fn Z3_mk_bv_sort(c: *mut Context, width: c_uint) -> *mut Sort;
    fn Z3_mk_const(c: *mut Context, s: *mut Symbol, sort: *mut Sort) -> AstPtr;
    fn Z3_mk_func_decl(
        c: *mut Context,
        s: *mut Symbol,
        arity: c_uint,
        domain: *const *mut Sort,
        range: *mut Sort,
    ) -> *mut FuncDecl;
    fn Z3_mk_app(c: *mut Context, f: *mut FuncDecl, arity: c_uint, all: *const AstPtr) -> AstPtr;
    fn Z3_mk_true(c: *mut Context) -> AstPtr;
    fn Z3_mk_false(c: *mut Context) -> AstPtr;
    fn Z3_mk_not(c: *mut Context, a: AstPtr) -> AstPtr;
    fn Z3_mk_ite(c: *mut Context, a: AstPtr, b: AstPtr, d: AstPtr) -> AstPtr;
    fn Z3_mk_numeral(c: *mut Context, s: *const c_char, sort: *mut Sort) -> AstPtr;
    fn Z3_mk_unsigned_int64(c: *mut Context, v: u64, sort: *mut Sort) -> AstPtr;
    fn Z3_mk_bvneg(c: *mut Context, a: AstPtr) -> AstPtr;
    fn Z3_mk_bvnot(c: *mut Context, a: AstPtr) -> AstPtr;
    fn Z3_mk_extract(c: *mut Context, high: c_uint, low: c_uint, a: AstPtr) -> AstPtr;
    fn Z3_mk_sign_ext(c: *mut Context, more: c_uint, a: AstPtr) -> AstPtr;
    fn Z3_mk_zero_ext(c: *mut Context, more: c_uint, a: AstPtr) -> AstPtr;
    fn Z3_mk_forall_const(
        c: *mut Context,
        weight: c_uint,
        count: c_uint,
        bound: *const AstPtr,
        patterns: c_uint,
        pattern: *const *mut Pattern,
        body: AstPtr,
    ) -> AstPtr;

    fn Z3_mk_fpa_sort_32(c: *mut Context) -> *mut Sort;
    fn Z3_mk_fpa_sort_64(c: *mut Context) -> *mut Sort;
    fn Z3_mk_fpa_rne(c: *mut Context) -> AstPtr;
    fn Z3_mk_fpa_rna(c: *mut Context) -> AstPtr;
    fn Z3_mk_fpa_rtz(c: *mut Context) -> AstPtr;
    fn Z3_mk_fpa_rtn(c: *mut Context) -> AstPtr;
    fn Z3_mk_fpa_rtp(c: *mut Context) -> AstPtr;
    fn Z3_mk_fpa_is_nan(c: *mut Context, a: AstPtr) -> AstPtr;
    fn Z3_mk_fpa_to_ieee_bv(c: *mut Context, a: AstPtr) -> AstPtr;
    fn Z3_mk_fpa_to_fp_bv(c: *mut Context, a: AstPtr, s: *mut Sort) -> AstPtr;
    fn Z3_mk_fpa_to_fp_float(c: *mut Context, mode: AstPtr, a: AstPtr, s: *mut Sort) -> AstPtr;
    fn Z3_mk_fpa_to_fp_signed(c: *mut Context, mode: AstPtr, a: AstPtr, s: *mut Sort) -> AstPtr;
    fn Z3_mk_fpa_to_fp_unsigned(c: *mut Context, mode: AstPtr, a: AstPtr, s: *mut Sort) -> AstPtr;
    fn Z3_mk_fpa_add(c: *mut Context, mode: AstPtr, a: AstPtr, b: AstPtr) -> AstPtr;
    fn Z3_mk_fpa_sub(c: *mut Context, mode: AstPtr, a: AstPtr, b: AstPtr) -> AstPtr;
    fn Z3_mk_fpa_mul(c: *mut Context, mode: AstPtr, a: AstPtr, b: AstPtr) -> AstPtr;
    fn Z3_mk_fpa_div(c: *mut Context, mode: AstPtr, a: AstPtr, b: AstPtr) -> AstPtr;

    fn Z3_get_ast_kind(c: *mut Context, a: AstPtr) -> c_uint;
    fn Z3_get_index_value(c: *mut Context, a: AstPtr) -> c_uint;
    fn Z3_get_app_decl(c: *mut Context, a: AstPtr) -> *mut FuncDecl;
    fn Z3_get_app_num_args(c: *mut Context, a: AstPtr) -> c_uint;
    fn Z3_get_app_arg(c: *mut Context, a: AstPtr, i: c_uint) -> AstPtr;
    fn Z3_get_decl_name(c: *mut Context, f: *mut FuncDecl) -> *mut Symbol;
    fn Z3_get_decl_num_parameters(c: *mut Context, f: *mut FuncDecl) -> c_uint;
    fn Z3_get_decl_int_parameter(c: *mut Context, f: *mut FuncDecl, i: c_uint) -> c_int;
    fn Z3_get_numeral_string(c: *mut Context, a: AstPtr) -> *const c_char;
    fn Z3_get_sort(c: *mut Context, a: AstPtr) -> *mut Sort;
    fn Z3_get_sort_kind(c: *mut Context, s: *mut Sort) -> c_uint;
    fn Z3_get_bv_sort_size(c: *mut Context, s: *mut Sort) -> c_uint;
    fn Z3_ast_to_string(c: *mut Context, a: AstPtr) -> *const c_char;

    fn Z3_mk_params(c: *mut Context) -> *mut Params;
    fn Z3_params_inc_ref(c: *mut Context, p: *mut Params);
    fn Z3_params_dec_ref(c: *mut Context, p: *mut Params);
    fn Z3_params_set_bool(c: *mut Context, p: *mut Params, k: *mut Symbol, v: bool);
    fn Z3_params_set_uint(c: *mut Context, p: *mut Params, k: *mut Symbol, v: c_uint);
    fn Z3_params_set_symbol(c: *mut Context, p: *mut Params, k: *mut Symbol, v: *mut Symbol);

    fn Z3_mk_tactic(c: *mut Context, name: *const c_char) -> *mut Tactic;
    fn Z3_tactic_and_then(c: *mut Context, a: *mut Tactic, b: *mut Tactic) -> *mut Tactic;
    fn Z3_tactic_using_params(c: *mut Context, t: *mut Tactic, p: *mut Params) -> *mut Tactic;
    fn Z3_tactic_inc_ref(c: *mut Context, t: *mut Tactic);
    fn Z3_tactic_dec_ref(c: *mut Context, t: *mut Tactic);
    fn Z3_mk_solver_from_tactic(c: *mut Context, t: *mut Tactic) -> *mut Solver;
    fn Z3_mk_simple_solver(c: *mut Context) -> *mut Solver;
    fn Z3_mk_solver(c: *mut Context) -> *mut Solver;
    fn Z3_mk_solver_for_logic(c: *mut Context, logic: *mut Symbol) -> *mut Solver;
    fn Z3_solver_inc_ref(c: *mut Context, s: *mut Solver);
    fn Z3_solver_dec_ref(c: *mut Context, s: *mut Solver);
    fn Z3_solver_set_params(c: *mut Context, s: *mut Solver, p: *mut Params);
    fn Z3_solver_push(c: *mut Context, s: *mut Solver);
    fn Z3_solver_pop(c: *mut Context, s: *mut Solver, n: c_uint);
    fn Z3_solver_assert(c: *mut Context, s: *mut Solver, a: AstPtr);
    fn Z3_solver_from_string(c: *mut Context, s: *mut Solver, text: *const c_char);
    fn Z3_solver_check_assumptions(
        c: *mut Context,
        s: *mut Solver,
        n: c_uint,
        all: *const AstPtr,
    ) -> c_int;
    fn Z3_solver_get_model(c: *mut Context, s: *mut Solver) -> *mut Model;
    fn Z3_solver_get_unsat_core(c: *mut Context, s: *mut Solver) -> *mut AstVector;
    fn Z3_solver_get_reason_unknown(c: *mut Context, s: *mut Solver) -> *const c_char;
    fn Z3_model_inc_ref(c: *mut Context, m: *mut Model);
    fn Z3_model_dec_ref(c: *mut Context, m: *mut Model);
    fn Z3_model_eval(
        c: *mut Context,
        m: *mut Model,
        a: AstPtr,
        completion: bool,
        out: *mut AstPtr,
    ) -> bool;
    fn Z3_ast_vector_inc_ref(c: *mut Context, v: *mut AstVector);
    fn Z3_ast_vector_dec_ref(c: *mut Context, v: *mut AstVector);
    fn Z3_ast_vector_size(c: *mut Context, v: *mut AstVector) -> c_uint;
    fn Z3_ast_vector_get(c: *mut Context, v: *mut AstVector, i: c_uint) -> AstPtr;

    fn Z3_mk_fixedpoint(c: *mut Context) -> *mut Fixedpoint;
    fn Z3_fixedpoint_inc_ref(c: *mut Context, f: *mut Fixedpoint);
    fn Z3_fixedpoint_dec_ref(c: *mut Context, f: *mut Fixedpoint);
    fn Z3_fixedpoint_set_params(c: *mut Context, f: *mut Fixedpoint, p: *mut Params);
    fn Z3_fixedpoint_register_relation(
        c: *mut Context,
        f: *mut Fixedpoint,
        relation: *mut FuncDecl,
    );
    fn Z3_fixedpoint_add_rule(c: *mut Context, f: *mut Fixedpoint, rule: AstPtr, name: *mut Symbol);
    fn Z3_fixedpoint_query(c: *mut Context, f: *mut Fixedpoint, query: AstPtr) -> c_int;
    fn Z3_fixedpoint_get_reason_unknown(c: *mut Context, f: *mut Fixedpoint) -> *const c_char;
    fn Z3_fixedpoint_get_cover_delta(
        c: *mut Context,
        f: *mut Fixedpoint,
        level: c_int,
        relation: *mut FuncDecl,
    ) -> AstPtr;
    fn Z3_fixedpoint_get_num_levels(
        c: *mut Context,
        f: *mut Fixedpoint,
        relation: *mut FuncDecl,
    ) -> c_uint;
}
