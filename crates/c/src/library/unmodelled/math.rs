//! `math.h`.

use super::row::{pure, refused};
use crate::library::function::LibraryFunction;
use crate::library::prototype::Kind::{Double, Int, Long, LongLong, Memory, Text, Void};
use crate::library::table::takes;

/// Names, each with its variants for `float` and `long double`.
macro_rules! reals {
    ($($name:literal)*) => { &[$($name, concat!($name, "f"), concat!($name, "l")),*] };
}

pub(super) static TABLE: &[LibraryFunction] = &[
    pure(
        reals!(
            "acos" "asin" "atan" "cos" "sin" "tan" "acosh" "asinh" "atanh" "cosh" "sinh" "tanh"
            "exp" "exp2" "exp10" "expm1" "log" "log10" "log1p" "log2" "logb" "cbrt" "erf" "erfc"
            "tgamma" "j0" "j1" "y0" "y1" "significand"
        ),
        takes(Double, &[Double]),
        &[],
    ),
    pure(
        reals!(
            "atan2" "hypot" "nextafter" "nexttoward" "scalb"
        ),
        takes(Double, &[Double, Double]),
        &[],
    ),
    pure(&["powl", "fmodl", "remainderl", "dreml", "fdiml"], takes(Double, &[Double, Double]), &[]),
    pure(&["nanl"], takes(Double, &[Text]), &[]),
    pure(reals!("modf" "frexp"), takes(Double, &[Double, Memory]), &[1]),
    pure(reals!("ldexp" "scalbn" "scalbln"), takes(Double, &[Double, Int]), &[]),
    pure(reals!("jn" "yn"), takes(Double, &[Int, Double]), &[]),
    pure(reals!("remquo"), takes(Double, &[Double, Double, Memory]), &[2]),
    pure(reals!("fma"), takes(Double, &[Double, Double, Double]), &[]),
    pure(reals!("sincos"), takes(Void, &[Double, Memory, Memory]), &[1, 2]),
    // Those for other types have a model.
    pure(
        &[
            "sqrtl",
            "fabsl",
            "floorl",
            "ceill",
            "truncl",
            "roundl",
            "rintl",
            "nearbyintl",
            "roundevenl",
        ],
        takes(Double, &[Double]),
        &[],
    ),
    pure(&["copysignl", "fmaxl", "fminl"], takes(Double, &[Double, Double]), &[]),
    pure(&["lroundl", "lrintl"], takes(Long, &[Double]), &[]),
    pure(&["llroundl", "llrintl"], takes(LongLong, &[Double]), &[]),
    pure(&["isnanf", "isnanl", "__isnanl", "finitel"], takes(Int, &[Double]), &[]),
    pure(reals!("ilogb"), takes(Int, &[Double]), &[]),
    pure(&["__isinfl", "__finitel", "__signbitl", "__fpclassifyl"], takes(Int, &[Double]), &[]),
    // They set a variable of the library, too.
    refused(reals!("lgamma" "gamma"), takes(Double, &[Double])),
    pure(&["fetestexcept", "feclearexcept"], takes(Int, &[Int]), &[]),
    // Complex numbers are records, of which any value would be taken for one that can be.
    refused(
        reals!(
            "creal" "cimag" "conj" "cabs" "carg" "cproj" "csqrt" "cexp" "clog" "clog10" "csin" "ccos" "ctan" "casin"
            "cacos" "catan" "csinh" "ccosh" "ctanh" "casinh" "cacosh" "catanh"
        ),
        takes(Double, &[Double]),
    ),
    refused(reals!("cpow"), takes(Double, &[Double, Double])),
    refused(&["fesetround", "fesetenv", "feupdateenv"], takes(Int, &[Int])),
];
