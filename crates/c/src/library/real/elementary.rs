//! Functions of `math.h` that are no operations of IEEE 754: their values, as the library of this system computes them,
//! and what holds of them whatever computes them (C11, 7.12 and F.10).

use crate::library::effect::{Effect, Returns, Writes};
use crate::library::execution::Execution;
use crate::library::function::{Accesses, LibraryFunction, Model};
use crate::library::link::Link;
use crate::library::prototype::Kind::{self, Double};
use crate::library::table::{library, takes};

/// A function of numbers of one type, `double` or `float`.
#[derive(Debug)]
pub struct Elementary {
    /// The name of that for `double`.
    pub name: &'static str,
    value: Value,
    pub facts: Facts,
    pub exact: Exact,
}

impl PartialEq for Elementary {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Elementary {}

/// How a value is computed, for either type.
#[derive(Debug, Clone, Copy)]
enum Value {
    One(fn(f64) -> f64, fn(f32) -> f32),
    Two(fn(f64, f64) -> f64, fn(f32, f32) -> f32),
    Three(fn(f64, f64, f64) -> f64, fn(f32, f32, f32) -> f32),
}

/// Which values IEEE 754 determines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exact {
    All,
    /// That at the point of [`Facts::Within`], if there is one: others may differ between libraries in their last digits.
    AtPoint,
}

/// What holds of a value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Facts {
    /// Nothing that would be known without computing it.
    None,
    /// Of numbers within `domain` they are numbers within `range`, of all others there is none.  At `at.0` it is
    /// exactly `at.1`; where it is `increasing`, it is no less above and no more below that.
    Within { domain: (f64, f64), range: (f64, f64), at: Option<(f64, f64)>, increasing: bool },
    /// A rest, of which the sign is that of the first operand: less than the second and no more than the first.
    Modulo,
    /// A rest that is no more than half of the second operand.
    Remainder,
    /// Not negative, unless it is no number.
    Length,
    /// A number from -π to π, if the operands are numbers.
    Angle,
    /// Of a positive base not negative.
    Power,
    /// Not negative; 0 where the first operand is no more than the second.
    Difference,
}

const ALL: (f64, f64) = (f64::NEG_INFINITY, f64::INFINITY);
const FINITE: (f64, f64) = (f64::MIN, f64::MAX);
/// The next numbers above π and π/2.
const PI: f64 = std::f64::consts::PI.next_up();
const HALF_PI: f64 = std::f64::consts::FRAC_PI_2.next_up();

/// Integers below this are exact.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// A function that increases, through a point.
const fn increasing(domain: (f64, f64), range: (f64, f64), at: (f64, f64)) -> Facts {
    Facts::Within { domain, range, at: Some(at), increasing: true }
}

const fn through(domain: (f64, f64), range: (f64, f64), at: (f64, f64)) -> Facts {
    Facts::Within { domain, range, at: Some(at), increasing: false }
}

const ORIGIN: (f64, f64) = (0.0, 0.0);
const POSITIVE: (f64, f64) = (0.0, f64::INFINITY);

/// The row of a function by one of its names.
macro_rules! called {
    ($called:expr, $name:literal, $kinds:ident, $value:expr, $exact:ident, $facts:expr) => {
        row($called, $kinds, {
            static FUNCTION: Elementary =
                Elementary { name: $name, value: $value, facts: $facts, exact: Exact::$exact };
            &FUNCTION
        })
    };
}

/// The rows of functions, for `double` and for `float`.
macro_rules! rows {
    ($($name:literal $kinds:ident $shape:ident($double:expr, $single:expr) $exact:ident $facts:expr;)*) => {
        pub(in crate::library) static ELEMENTARY: &[LibraryFunction] = &[$(
            called!($name, $name, $kinds, Value::$shape($double, $single), $exact, $facts),
            called!(concat!($name, "f"), $name, $kinds, Value::$shape($double, $single), $exact, $facts),
        )*];
    };
}

const fn row(
    name: &'static str,
    parameters: &'static [Kind],
    function: &'static Elementary,
) -> LibraryFunction {
    let model = Model {
        effect: Effect { writes: Writes::Nothing, returns: Returns::Real(function) },
        execution: Execution::Real(function),
        accesses: Accesses::Nothing,
        overflow: false,
    };
    LibraryFunction { link: Link::Hosted, ..library(name, takes(Double, parameters), model) }
}

const ONE: &[Kind] = &[Double];
const TWO: &[Kind] = &[Double, Double];
const THREE: &[Kind] = &[Double, Double, Double];

rows! {
    "exp" ONE One(f64::exp, f32::exp) AtPoint increasing(ALL, POSITIVE, (0.0, 1.0));
    "exp2" ONE One(f64::exp2, f32::exp2) AtPoint increasing(ALL, POSITIVE, (0.0, 1.0));
    "expm1" ONE One(f64::exp_m1, f32::exp_m1) AtPoint increasing(ALL, (-1.0, f64::INFINITY), ORIGIN);
    "log" ONE One(f64::ln, f32::ln) AtPoint increasing(POSITIVE, ALL, (1.0, 0.0));
    "log2" ONE One(f64::log2, f32::log2) AtPoint increasing(POSITIVE, ALL, (1.0, 0.0));
    "log10" ONE One(f64::log10, f32::log10) AtPoint increasing(POSITIVE, ALL, (1.0, 0.0));
    "log1p" ONE One(f64::ln_1p, f32::ln_1p) AtPoint increasing((-1.0, f64::INFINITY), ALL, ORIGIN);
    "sin" ONE One(f64::sin, f32::sin) AtPoint through(FINITE, (-1.0, 1.0), ORIGIN);
    "cos" ONE One(f64::cos, f32::cos) AtPoint through(FINITE, (-1.0, 1.0), (0.0, 1.0));
    "tan" ONE One(f64::tan, f32::tan) AtPoint through(FINITE, ALL, ORIGIN);
    "asin" ONE One(f64::asin, f32::asin) AtPoint increasing((-1.0, 1.0), (-HALF_PI, HALF_PI), ORIGIN);
    "acos" ONE One(f64::acos, f32::acos) AtPoint through((-1.0, 1.0), (0.0, PI), (1.0, 0.0));
    "atan" ONE One(f64::atan, f32::atan) AtPoint increasing(ALL, (-HALF_PI, HALF_PI), ORIGIN);
    "sinh" ONE One(f64::sinh, f32::sinh) AtPoint increasing(ALL, ALL, ORIGIN);
    "cosh" ONE One(f64::cosh, f32::cosh) AtPoint through(ALL, (1.0, f64::INFINITY), (0.0, 1.0));
    "tanh" ONE One(f64::tanh, f32::tanh) AtPoint increasing(ALL, (-1.0, 1.0), ORIGIN);
    "cbrt" ONE One(f64::cbrt, f32::cbrt) AtPoint increasing(ALL, ALL, ORIGIN);
    "atan2" TWO Two(f64::atan2, f32::atan2) AtPoint Facts::Angle;
    "hypot" TWO Two(f64::hypot, f32::hypot) AtPoint Facts::Length;
    "pow" TWO Two(f64::powf, f32::powf) AtPoint Facts::Power;
    "fmod" TWO Two(|x, y| x % y, |x, y| x % y) All Facts::Modulo;
    "remainder" TWO Two(remainder, remainder_f32) All Facts::Remainder;
    "drem" TWO Two(remainder, remainder_f32) All Facts::Remainder;
    "fdim" TWO Two(difference, difference_f32) All Facts::Difference;
    "fma" THREE Three(f64::mul_add, f32::mul_add) All Facts::None;
}

/// The difference between `x` and the nearest multiple of `y`, the even one of two: exact, as IEEE 754 has it.
fn remainder(x: f64, y: f64) -> f64 {
    if x.is_nan() || y.is_nan() || x.is_infinite() || y == 0.0 {
        return f64::NAN;
    }
    let size = y.abs();
    // Twice `y` is too large only where `x` is less.
    let mut rest = if size <= f64::MAX / 2.0 { x.abs() % (size + size) } else { x.abs() };
    if size < 2.0 * f64::MIN_POSITIVE {
        if rest + rest > size {
            rest -= size;
            if rest + rest >= size {
                rest -= size;
            }
        }
    } else {
        let half = 0.5 * size;
        if rest > half {
            rest -= size;
            if rest >= half {
                rest -= size;
            }
        }
    }
    if x.is_sign_negative() { -rest } else { rest }
}

/// As [`remainder`]: of two `float`s it is one, too.
fn remainder_f32(x: f32, y: f32) -> f32 {
    remainder(f64::from(x), f64::from(y)) as f32
}

fn difference(x: f64, y: f64) -> f64 {
    if x <= y { 0.0 } else { x - y }
}

fn difference_f32(x: f32, y: f32) -> f32 {
    if x <= y { 0.0 } else { x - y }
}

impl Elementary {
    /// Whether the value for operands of so many bits is the same whatever library computes it.
    #[must_use]
    pub fn is_exact(&self, width: u32, operands: &[u64]) -> bool {
        let number = |bits| match width {
            64 => f64::from_bits(bits),
            _ => f64::from(f32::from_bits(bits as u32)),
        };
        let numbers: Vec<f64> = operands.iter().map(|&x| number(x)).collect();
        match (self.exact, self.facts, numbers.as_slice()) {
            (Exact::All, ..) => true,
            (Exact::AtPoint, Facts::Within { domain, at, .. }, &[x]) => {
                at.is_some_and(|(at, _)| x == at)
                    || !(domain.0 <= x && x <= domain.1)
                    || x.is_infinite()
            }
            (Exact::AtPoint, Facts::Power, &[x, y]) => {
                let power = x.powf(y);
                let fits = width == 64 || f64::from(power as f32) == power;
                fits && x.fract() == 0.0 && y.fract() == 0.0 && y >= 0.0 && power.abs() < EXACT
            }
            _ => false,
        }
    }

    /// The bits of the value for operands of 64 or 32 bits, given by their bits; nothing for other operands.
    #[must_use]
    pub fn bits(&self, width: u32, operands: &[u64]) -> Option<u64> {
        match width {
            64 => self.double(&operands.iter().map(|&x| f64::from_bits(x)).collect::<Vec<_>>()),
            32 => {
                self.single(&operands.iter().map(|&x| f32::from_bits(x as u32)).collect::<Vec<_>>())
            }
            _ => None,
        }
    }

    fn double(&self, operands: &[f64]) -> Option<u64> {
        let value = match (self.value, operands) {
            (Value::One(f, _), &[x]) => f(x),
            (Value::Two(f, _), &[x, y]) => f(x, y),
            (Value::Three(f, _), &[x, y, z]) => f(x, y, z),
            _ => return None,
        };
        Some(value.to_bits())
    }

    fn single(&self, operands: &[f32]) -> Option<u64> {
        let value = match (self.value, operands) {
            (Value::One(_, f), &[x]) => f(x),
            (Value::Two(_, f), &[x, y]) => f(x, y),
            (Value::Three(_, f), &[x, y, z]) => f(x, y, z),
            _ => return None,
        };
        Some(u64::from(value.to_bits()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remainders() {
        assert_eq!(remainder(5.0, 3.0), -1.0);
        assert_eq!(remainder(-5.0, 3.0), 1.0);
        // Ties go to the even multiple.
        assert_eq!(remainder(1.0, 2.0), 1.0);
        assert_eq!(remainder(3.0, 2.0), -1.0);
        assert_eq!(remainder(5.0, 2.0), 1.0);
        assert_eq!(remainder(7.5, f64::MAX), 7.5);
        assert_eq!(remainder(f64::MAX, f64::MAX), 0.0);
        assert!(remainder(-4.0, 2.0).is_sign_negative());
        let tiny = f64::from_bits(3);
        assert_eq!(remainder(tiny, f64::from_bits(2)), -f64::from_bits(1));
        let pi = f64::from(std::f32::consts::PI);
        assert_eq!(remainder(f64::from(f32::MAX), pi) as f32, -1.409_629_6);
    }
}
