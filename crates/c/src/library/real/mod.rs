//! Functions on floating-point numbers whose results IEEE 754 determines.

mod elementary;

pub(super) use elementary::ELEMENTARY;
pub use elementary::{Elementary, Facts};

use crate::library::convention::{Convention, RealFunction};
use crate::library::function::{Family, LibraryFunction};
use crate::library::link::Link;
use crate::library::prototype::Kind::{self, Double, Int, Long, LongLong, Text};
use crate::library::table::{convention, split, takes};

/// A function for `double` and for `float`, also as built-ins.
macro_rules! both {
    ($($name:literal)*) => {
        &[$(
            $name, concat!($name, "f"),
            concat!("__builtin_", $name), concat!("__builtin_", $name, "f"),
        )*]
    };
}

/// Built-ins that take numbers of any type.
macro_rules! builtins {
    ($($name:literal)*) => { &[$(concat!("__builtin_", $name)),*] };
}

const fn real(
    names: &'static [&'static str],
    result: Kind,
    parameters: &'static [Kind],
    what: RealFunction,
) -> LibraryFunction {
    let (name, aliases) = split(names);
    let row = convention(name, takes(result, parameters), Convention::Real(what), Link::Hosted);
    LibraryFunction { aliases, ..row }
}

const fn of_compiler(
    names: &'static [&'static str],
    result: Kind,
    parameters: &'static [Kind],
    what: RealFunction,
) -> LibraryFunction {
    let row = real(names, result, parameters, what);
    LibraryFunction { family: Family::Compiler, link: Link::Compiler, ..row }
}

const ONE: &[Kind] = &[Double];
const TWO: &[Kind] = &[Double, Double];

pub(super) static TABLE: &[LibraryFunction] = &[
    real(both!("fabs"), Double, ONE, RealFunction::Absolute),
    real(both!("sqrt"), Double, ONE, RealFunction::SquareRoot),
    real(both!("floor"), Double, ONE, RealFunction::Floor),
    real(both!("ceil"), Double, ONE, RealFunction::Ceiling),
    real(both!("trunc"), Double, ONE, RealFunction::Truncate),
    real(both!("round"), Double, ONE, RealFunction::NearestAway),
    real(both!("rint" "nearbyint"), Double, ONE, RealFunction::Integral),
    real(both!("roundeven"), Double, ONE, RealFunction::NearestEven),
    real(both!("copysign"), Double, TWO, RealFunction::CopySign),
    real(both!("fmin"), Double, TWO, RealFunction::Minimum),
    real(both!("fmax"), Double, TWO, RealFunction::Maximum),
    real(both!("lround"), Long, ONE, RealFunction::NearestAway),
    real(both!("lrint"), Long, ONE, RealFunction::Integral),
    real(both!("llround"), LongLong, ONE, RealFunction::NearestAway),
    real(both!("llrint"), LongLong, ONE, RealFunction::Integral),
    real(&["isnan", "__isnan", "__isnanf"], Int, ONE, RealFunction::IsNan),
    real(&["finite", "finitef", "isfinite"], Int, ONE, RealFunction::IsFinite),
    real(&["isinf"], Int, ONE, RealFunction::IsInfinite { signed: false }),
    real(&["isnormal"], Int, ONE, RealFunction::IsNormal),
    real(&["signbit"], Int, ONE, RealFunction::SignBit),
    // What the macros of glibc's older headers call.
    real(&["__finite", "__finitef"], Int, ONE, RealFunction::IsFinite),
    real(&["__isinf", "__isinff"], Int, ONE, RealFunction::IsInfinite { signed: true }),
    real(&["__signbit", "__signbitf"], Int, ONE, RealFunction::SignBit),
    real(&["__fpclassify", "__fpclassifyf"], Int, ONE, RealFunction::Classify),
    of_compiler(builtins!("isnan" "isnanf"), Int, ONE, RealFunction::IsNan),
    of_compiler(builtins!("isfinite" "finite" "finitef"), Int, ONE, RealFunction::IsFinite),
    of_compiler(builtins!("isinf" "isinff"), Int, ONE, RealFunction::IsInfinite { signed: false }),
    of_compiler(builtins!("isinf_sign"), Int, ONE, RealFunction::IsInfinite { signed: true }),
    of_compiler(builtins!("isnormal"), Int, ONE, RealFunction::IsNormal),
    of_compiler(builtins!("signbit" "signbitf"), Int, ONE, RealFunction::SignBit),
    of_compiler(
        builtins!("fpclassify"),
        Int,
        &[Int, Int, Int, Int, Int, Double],
        RealFunction::Classify,
    ),
    of_compiler(builtins!("isgreater"), Int, TWO, RealFunction::Greater),
    of_compiler(builtins!("isgreaterequal"), Int, TWO, RealFunction::GreaterEqual),
    of_compiler(builtins!("isless"), Int, TWO, RealFunction::Less),
    of_compiler(builtins!("islessequal"), Int, TWO, RealFunction::LessEqual),
    of_compiler(builtins!("islessgreater"), Int, TWO, RealFunction::LessGreater),
    of_compiler(builtins!("isunordered"), Int, TWO, RealFunction::Unordered),
    of_compiler(
        builtins!("inf" "inff" "huge_val" "huge_valf"),
        Double,
        &[],
        RealFunction::Infinity,
    ),
    real(both!("nan"), Double, &[Text], RealFunction::NotANumber),
];
