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
            "acosh" "asinh" "atanh" "exp10" "erf" "erfc" "tgamma" "j0" "j1" "y0" "y1" "significand"
        ),
        takes(Double, &[Double]),
        &[],
    ),
    pure(reals!("nexttoward" "scalb"), takes(Double, &[Double, Double]), &[]),
    // Those for other types are written in C.
    refused(&["logb", "logbf"], takes(Double, &[Double])),
    refused(&["ilogb", "ilogbf"], takes(Int, &[Double])),
    refused(&["nextafter", "nextafterf"], takes(Double, &[Double, Double])),
    refused(&["modf", "modff", "frexp", "frexpf"], takes(Double, &[Double, Memory])),
    refused(
        &["ldexp", "ldexpf", "scalbn", "scalbnf", "scalbln", "scalblnf"],
        takes(Double, &[Double, Int]),
    ),
    refused(&["remquo", "remquof"], takes(Double, &[Double, Double, Memory])),
    pure(&["logbl"], takes(Double, &[Double]), &[]),
    pure(&["ilogbl"], takes(Int, &[Double]), &[]),
    pure(&["nextafterl"], takes(Double, &[Double, Double]), &[]),
    pure(&["modfl", "frexpl"], takes(Double, &[Double, Memory]), &[1]),
    pure(&["ldexpl", "scalbnl", "scalblnl"], takes(Double, &[Double, Int]), &[]),
    pure(&["remquol"], takes(Double, &[Double, Double, Memory]), &[2]),
    // Those for other types are computed.
    pure(
        &[
            "acosl", "asinl", "atanl", "cosl", "sinl", "tanl", "coshl", "sinhl", "tanhl", "expl",
            "exp2l", "expm1l", "logl", "log10l", "log1pl", "log2l", "cbrtl",
        ],
        takes(Double, &[Double]),
        &[],
    ),
    pure(
        &["powl", "fmodl", "remainderl", "dreml", "fdiml", "atan2l", "hypotl"],
        takes(Double, &[Double, Double]),
        &[],
    ),
    pure(&["fmal"], takes(Double, &[Double, Double, Double]), &[]),
    pure(&["nanl"], takes(Double, &[Text]), &[]),
    pure(reals!("jn" "yn"), takes(Double, &[Int, Double]), &[]),
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
