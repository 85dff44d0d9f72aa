//! Products and quotients of complex constants, which gcc computes itself, as if they were rounded once: only where nothing is
//! rounded are they those of its library.

/// `(a + bi)(c + di)`, or the quotient, if its parts are numbers of the type (`float` if it is `single`).
pub(super) fn computed(
    is_quotient: bool,
    [[a, b], [c, d]]: [[f64; 2]; 2],
    is_single: bool,
) -> Option<[f64; 2]> {
    let found = match is_quotient {
        false => product([a, b], [c, d])?,
        true => {
            let scale = sum(times(c, c)?, times(d, d)?)?;
            let [x, y] = product([a, b], [c, -d])?.map(|part| part / scale);
            // The library's zeros have other signs.
            let is_quotient = product([x, y], [c, d])? == [a, b] && x != 0.0 && y != 0.0;
            is_quotient.then_some([x, y])?
        }
    };
    let fits = |part: f64| !is_single || f64::from(part as f32) == part;
    found.into_iter().all(fits).then_some(found)
}

/// The product, if nothing is rounded.
fn product([a, b]: [f64; 2], [c, d]: [f64; 2]) -> Option<[f64; 2]> {
    Some([sum(times(a, c)?, -times(b, d)?)?, sum(times(a, d)?, times(b, c)?)?])
}

/// `x * y`, if it is not rounded.
fn times(x: f64, y: f64) -> Option<f64> {
    let product = x * y;
    let is_zero = x == 0.0 || y == 0.0;
    // What is left over is a number, too.
    let is_large = product.is_finite() && product.abs() > 1e-200;
    (is_zero && product == 0.0 || is_large && x.mul_add(y, -product) == 0.0).then_some(product)
}

/// `x + y`, if it is not rounded (Knuth's TwoSum).
fn sum(x: f64, y: f64) -> Option<f64> {
    let sum = x + y;
    let from_y = sum - x;
    let error = (x - (sum - from_y)) + (y - from_y);
    (sum.is_finite() && error == 0.0).then_some(sum)
}

#[cfg(test)]
mod tests {
    use super::computed;

    #[test]
    fn exact_results_only() {
        let (z, w) = ([1.0, 2.0], [3.0, 4.0]);
        assert_eq!(computed(false, [z, w], false), Some([-5.0, 10.0]));
        assert_eq!(computed(true, [[-5.0, 10.0], w], false), Some(z));
        assert_eq!(computed(false, [[0.1, 0.2], w], false), None);
        assert_eq!(computed(true, [z, w], false), None);
        // A zero whose sign is open, an infinite product, and one that is no `float`.
        assert_eq!(computed(true, [[0.0, 1.0], [-1.0, 0.0]], false), None);
        assert_eq!(computed(false, [[1e200, 0.0], [1e200, 0.0]], false), None);
        let odd = f64::from((1 << 24) - 1);
        assert_eq!(computed(false, [[odd, 0.0], [odd, 0.0]], true), None);
    }
}
