//! Floating-point operators in Z3's theory of them, on the bits of numbers.
#![allow(unsafe_code)]

use super::context::{Ast, Context};
use super::ffi::{self, AstPtr, Sort};
use crate::{FloatOp, Rounding, SmtError};

/// A function of Z3 that rounds.
type Rounded = unsafe extern "C" fn(*mut ffi::Context, AstPtr, AstPtr, AstPtr) -> AstPtr;
type Conversion = unsafe extern "C" fn(*mut ffi::Context, AstPtr, AstPtr, *mut Sort) -> AstPtr;

/// The result of an operator, for operands of so many bits.
pub(super) fn encode(
    c: &Context,
    op: FloatOp,
    operands: &[Ast],
    width: u32,
) -> Result<Ast, SmtError> {
    let (a, b) = (&operands[0], operands.get(1).unwrap_or(&operands[0]));
    let (op, rounding) = op.parts();
    let rounded = |function: Rounded| {
        let (mode, x, y) = (mode(c, rounding)?, number(c, width, a)?, number(c, width, b)?);
        // SAFETY: a live context and live terms of it, of the sorts that the function takes.
        let result = c.own(unsafe { function(c.raw(), mode.raw(), x.raw(), y.raw()) })?;
        completed(c, width, operands, &result)
    };
    let to_float = |function: Conversion, from: &Ast, to: u32| {
        let mode = mode(c, rounding)?;
        // SAFETY: as above.
        c.own(unsafe { function(c.raw(), mode.raw(), from.raw(), format(c, to)) })
    };
    match op {
        FloatOp::Less => c.two(ffi::FP_LT, &number(c, width, a)?, &number(c, width, b)?),
        FloatOp::AtMost => c.two(ffi::FP_LE, &number(c, width, a)?, &number(c, width, b)?),
        FloatOp::Equal => c.two(ffi::FP_EQ, &number(c, width, a)?, &number(c, width, b)?),
        FloatOp::Add => rounded(c.api().Z3_mk_fpa_add),
        FloatOp::Sub => rounded(c.api().Z3_mk_fpa_sub),
        FloatOp::Mul => rounded(c.api().Z3_mk_fpa_mul),
        FloatOp::Div => rounded(c.api().Z3_mk_fpa_div),
        FloatOp::Sqrt | FloatOp::Round(_) => {
            let (mode, function) = match op {
                FloatOp::Round(rounding) => (mode(c, rounding)?, ffi::FP_ROUND),
                _ => (mode(c, rounding)?, ffi::FP_SQRT),
            };
            let result = c.two(function, &mode, &number(c, width, a)?)?;
            completed(c, width, operands, &result)
        }
        FloatOp::OfSigned(to) => bits(c, &to_float(c.api().Z3_mk_fpa_to_fp_signed, a, to)?),
        FloatOp::OfUnsigned(to) => bits(c, &to_float(c.api().Z3_mk_fpa_to_fp_unsigned, a, to)?),
        FloatOp::Widen | FloatOp::Narrow => {
            let x = number(c, width, a)?;
            let result = bits(c, &to_float(c.api().Z3_mk_fpa_to_fp_float, &x, 96 - width)?)?;
            // Sign and payload of a NaN, made quiet.
            let zeros = |n: u32| c.bits(n, 0);
            let nan = match op {
                FloatOp::Widen => {
                    let head = c.two(ffi::CONCAT, &c.extract(31, 31, a)?, &c.bits(11, 0x7FF)?)?;
                    let tail = c.two(ffi::CONCAT, &c.extract(22, 0, a)?, &zeros(29)?)?;
                    c.two(ffi::BV_OR, &c.two(ffi::CONCAT, &head, &tail)?, &c.bits(64, 1 << 51)?)?
                }
                _ => {
                    let head = c.two(ffi::CONCAT, &c.extract(63, 63, a)?, &c.bits(8, 0xFF)?)?;
                    let whole = c.two(ffi::CONCAT, &head, &c.extract(51, 29, a)?)?;
                    c.two(ffi::BV_OR, &whole, &c.bits(32, 1 << 22)?)?
                }
            };
            c.ite(&is_nan(c, &x)?, &nan, &result)
        }
        // It has been taken apart.
        FloatOp::Directed(..) => unreachable!("the parts of an operator have no direction"),
    }
}

/// The bits of a result: a NaN among the operands is passed on, and invalid operations have a
/// certain NaN.
fn completed(c: &Context, width: u32, operands: &[Ast], result: &Ast) -> Result<Ast, SmtError> {
    let (quiet, invalid) = match width {
        32 => (c.bits(32, 1 << 22)?, c.bits(32, 0xFFC0_0000)?),
        _ => (c.bits(64, 1 << 51)?, c.bits(64, 0xFFF8_0000_0000_0000)?),
    };
    let mut value = c.ite(&is_nan(c, result)?, &invalid, &bits(c, result)?)?;
    for operand in operands.iter().rev() {
        let nan = is_nan(c, &number(c, width, operand)?)?;
        value = c.ite(&nan, &c.two(ffi::BV_OR, operand, &quiet)?, &value)?;
    }
    Ok(value)
}

fn format(c: &Context, width: u32) -> *mut Sort {
    // SAFETY: a live context.
    unsafe {
        match width {
            32 => c.api().Z3_mk_fpa_sort_32(c.raw()),
            _ => c.api().Z3_mk_fpa_sort_64(c.raw()),
        }
    }
}

/// The number that has these bits.
fn number(c: &Context, width: u32, bits: &Ast) -> Result<Ast, SmtError> {
    // SAFETY: a live context, a live term of it, and a sort of the same number of bits.
    c.own(unsafe { c.api().Z3_mk_fpa_to_fp_bv(c.raw(), bits.raw(), format(c, width)) })
}

fn bits(c: &Context, number: &Ast) -> Result<Ast, SmtError> {
    // SAFETY: a live context and a live floating-point term of it.
    c.own(unsafe { c.api().Z3_mk_fpa_to_ieee_bv(c.raw(), number.raw()) })
}

fn is_nan(c: &Context, number: &Ast) -> Result<Ast, SmtError> {
    // SAFETY: as above.
    c.own(unsafe { c.api().Z3_mk_fpa_is_nan(c.raw(), number.raw()) })
}

fn mode(c: &Context, rounding: Rounding) -> Result<Ast, SmtError> {
    // SAFETY: a live context.
    c.own(unsafe {
        match rounding {
            Rounding::NearestEven => c.api().Z3_mk_fpa_rne(c.raw()),
            Rounding::NearestAway => c.api().Z3_mk_fpa_rna(c.raw()),
            Rounding::Zero => c.api().Z3_mk_fpa_rtz(c.raw()),
            Rounding::Down => c.api().Z3_mk_fpa_rtn(c.raw()),
            Rounding::Up => c.api().Z3_mk_fpa_rtp(c.raw()),
        }
    })
}
