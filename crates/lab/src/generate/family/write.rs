//! Writes a program from options.

use super::arithmetic::{
    complement, counter, depth, multiply, parity, queue, saturating, stride, twins,
};
use super::options::{Family, FamilyOptions};
use super::writer::Writer;
use super::{
    feedback, lock_discipline, modules, recursive_descent, ring, shift_register, slam_regression,
    terminator, wide_summary,
};
use crate::generate::document::document;
use crate::generate::error::GenerateError;
use hardbop_base::random::Random;

/// The text of a member of a family.
///
/// # Errors
/// [`GenerateError::Size`] if the family has no member of that size.
pub fn family(options: &FamilyOptions) -> Result<String, GenerateError> {
    let FamilyOptions { family, size, seed, bug } = *options;
    let Writer { sizes, write } = writer(family);
    if !sizes.contains(&size) {
        let (low, high) = sizes.into_inner();
        return Err(GenerateError::Size { family, size, low, high });
    }
    let text = write(options, &mut Random::new(seed));
    document(&format!("{family} --size {size} --seed {seed}"), bug, &text)
}

/// The writer of a family.
fn writer(family: Family) -> Writer {
    match family {
        Family::Counter => counter::WRITER,
        Family::ShiftRegister => shift_register::WRITER,
        Family::LockDiscipline => lock_discipline::WRITER,
        Family::RecursiveDescent => recursive_descent::WRITER,
        Family::WideSummary => wide_summary::WRITER,
        Family::Terminator => terminator::WRITER,
        Family::SlamRegression => slam_regression::WRITER,
        Family::Saturating => saturating::WRITER,
        Family::Twins => twins::WRITER,
        Family::Complement => complement::WRITER,
        Family::Stride => stride::WRITER,
        Family::Parity => parity::WRITER,
        Family::Multiply => multiply::WRITER,
        Family::Ring => ring::WRITER,
        Family::Depth => depth::WRITER,
        Family::Modules => modules::WRITER,
        Family::Feedback => feedback::WRITER,
        Family::Queue => queue::WRITER,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_out_of_range_are_refused() {
        for family in Family::ALL {
            let (low, high) = writer(family).sizes.into_inner();
            let text = |size| super::family(&FamilyOptions { family, size, seed: 1, bug: false });
            assert!(text(low).is_ok(), "{family}");
            for size in [low - 1, high + 1] {
                let error = GenerateError::Size { family, size, low, high };
                assert_eq!(text(size), Err(error), "{family}");
            }
        }
    }
}
