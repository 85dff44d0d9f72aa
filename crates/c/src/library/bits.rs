//! Built-ins of gcc on integers.

use super::convention::{Arithmetic, BitFunction, Convention};
use super::function::{Family, LibraryFunction};
use super::link::Link;
use super::prototype::Kind::{Int, Memory};
use super::table::{of_compiler, split, takes};

pub(super) static TABLE: &[LibraryFunction] = &[
    // The letters s, l and ll behind a name stand for short, long and long long.
    // Those with g take a number of any type, and what is the result for 0.
    bits(
        &["__builtin_clz", "__builtin_clzl", "__builtin_clzll", "__builtin_clzs", "__builtin_clzg"],
        BitFunction::LeadingZeros,
    ),
    bits(
        &["__builtin_ctz", "__builtin_ctzl", "__builtin_ctzll", "__builtin_ctzs", "__builtin_ctzg"],
        BitFunction::TrailingZeros,
    ),
    bits(
        &[
            "__builtin_popcount",
            "__builtin_popcountl",
            "__builtin_popcountll",
            "__builtin_popcountg",
        ],
        BitFunction::Count,
    ),
    bits(&["__builtin_parity", "__builtin_parityl", "__builtin_parityll"], BitFunction::Parity),
    bits(&["__builtin_ffs", "__builtin_ffsl", "__builtin_ffsll"], BitFunction::First),
    bits(&["__builtin_bswap16", "__builtin_bswap32", "__builtin_bswap64"], BitFunction::Swap),
    bits(
        &[
            "__builtin_bitreverse8",
            "__builtin_bitreverse16",
            "__builtin_bitreverse32",
            "__builtin_bitreverse64",
        ],
        BitFunction::Reverse,
    ),
    // Network order has the highest byte first; both data models have the lowest one first.
    LibraryFunction {
        family: Family::Library,
        link: Link::Hosted,
        ..bits(&["htons", "ntohs", "htonl", "ntohl"], BitFunction::Swap)
    },
    overflowing(
        &[
            "__builtin_add_overflow",
            "__builtin_sadd_overflow",
            "__builtin_saddl_overflow",
            "__builtin_saddll_overflow",
            "__builtin_uadd_overflow",
            "__builtin_uaddl_overflow",
            "__builtin_uaddll_overflow",
            "__builtin_add_overflow_p",
            "ckd_add",
        ],
        Arithmetic::Add,
    ),
    overflowing(
        &[
            "__builtin_sub_overflow",
            "__builtin_ssub_overflow",
            "__builtin_ssubl_overflow",
            "__builtin_ssubll_overflow",
            "__builtin_usub_overflow",
            "__builtin_usubl_overflow",
            "__builtin_usubll_overflow",
            "__builtin_sub_overflow_p",
            "ckd_sub",
        ],
        Arithmetic::Subtract,
    ),
    overflowing(
        &[
            "__builtin_mul_overflow",
            "__builtin_smul_overflow",
            "__builtin_smull_overflow",
            "__builtin_smulll_overflow",
            "__builtin_umul_overflow",
            "__builtin_umull_overflow",
            "__builtin_umulll_overflow",
            "__builtin_mul_overflow_p",
            "ckd_mul",
        ],
        Arithmetic::Multiply,
    ),
];

const fn bits(names: &'static [&'static str], what: BitFunction) -> LibraryFunction {
    let (name, aliases) = split(names);
    LibraryFunction { aliases, ..of_compiler(name, takes(Int, &[Int]), Convention::Bits(what)) }
}

const fn overflowing(names: &'static [&'static str], what: Arithmetic) -> LibraryFunction {
    let (name, aliases) = split(names);
    let row = of_compiler(name, takes(Int, &[Int, Int, Memory]), Convention::Overflowing(what));
    LibraryFunction { aliases, ..row }
}
