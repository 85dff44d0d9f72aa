//! Affine spaces of points whose coordinates are numbers modulo 2^64, by generators.
//!
//! A space is a point plus a module of directions, kept as rows over a first column that is 1 for
//! the point and 0 for directions (Müller-Olm and Seidl, "Analysis of Modular Arithmetic", TOPLAS
//! 2007, Sect. 3): linear maps act on all rows alike, and a join adds the rows of one space to
//! those of the other.  Numbers that are not odd have no inverse, so rows are eliminated by an
//! entry that divides all others: each row is then a power of two times a row with a 1, and the
//! relations that hold can be read off from the last row to the first.

/// A number modulo 2^64.
pub type Number = u64;

/// A linear combination of columns, each at most once; column 0 is the constant 1.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Form(pub Vec<(usize, Number)>);

impl Form {
    /// A constant.
    pub fn constant(c: Number) -> Self {
        Self(if c == 0 { vec![] } else { vec![(0, c)] })
    }

    /// The form that is one column.
    pub fn column(column: usize) -> Self {
        Self(vec![(column, 1)])
    }

    /// The constant that it is, if it is one.
    pub fn as_constant(&self) -> Option<Number> {
        match self.0[..] {
            [] => Some(0),
            [(0, c)] => Some(c),
            _ => None,
        }
    }

    /// The columns of variables.
    pub fn columns(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().map(|&(c, _)| c).filter(|&c| c != 0)
    }

    /// The sum of this form and a multiple of another.
    #[must_use]
    pub fn plus(&self, factor: Number, other: &Self) -> Self {
        let mut sum = self.0.clone();
        for &(column, c) in &other.0 {
            let c = c.wrapping_mul(factor);
            match sum.binary_search_by_key(&column, |&(k, _)| k) {
                Ok(i) => sum[i].1 = sum[i].1.wrapping_add(c),
                Err(i) => sum.insert(i, (column, c)),
            }
        }
        sum.retain(|&(_, c)| c != 0);
        Self(sum)
    }

    fn at(&self, row: &[Number]) -> Number {
        self.0.iter().fold(0, |sum, &(column, c)| sum.wrapping_add(c.wrapping_mul(row[column])))
    }
}

/// An affine space; not empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Space {
    /// The point, then the directions.
    rows: Vec<Vec<Number>>,
    /// The pivot of each direction: a column that is 0 in all later rows, and whose entry divides
    /// the whole row and all later ones.  Empty unless the space is reduced.
    pivots: Vec<usize>,
}

/// A relation that all points of a space satisfy.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Relation {
    /// The coefficients by column; column 0 has the constant.
    pub coefficients: Vec<Number>,
    /// The coefficients are known modulo 2^precision.
    pub precision: u32,
    /// The combination is 0, or, if this is some number, 0 modulo 2^number.
    pub modulo: Option<u32>,
}

impl Space {
    /// The space of all points with so many columns, that of the constant included.
    pub fn everything(columns: usize) -> Self {
        let unit = |i| (0..columns).map(|j| Number::from(i == j)).collect();
        Self { rows: (0..columns).map(unit).collect(), pivots: vec![] }
    }

    /// The value of a form, if all points agree.
    pub fn value(&self, form: &Form) -> Option<Number> {
        let mut rows = self.rows.iter();
        let value = form.at(rows.next()?);
        rows.all(|r| form.at(r) == 0).then_some(value)
    }

    /// Assigns values to columns at once; none: any value.
    pub fn assign(&mut self, changes: &[(usize, Option<&Form>)]) {
        for row in &mut self.rows {
            let new: Vec<Number> =
                changes.iter().map(|(_, f)| f.map_or(0, |form| form.at(row))).collect();
            changes.iter().zip(new).for_each(|(&(column, _), value)| row[column] = value);
        }
        let columns = self.rows[0].len();
        for &(column, _) in changes.iter().filter(|(_, form)| form.is_none()) {
            let mut direction = vec![0; columns];
            direction[column] = 1;
            self.rows.push(direction);
        }
        self.pivots.clear();
        let mut first = true;
        self.rows.retain(|r| std::mem::take(&mut first) || r.iter().any(|&x| x != 0));
    }

    /// Keeps the points where a form is 0; `false` if there are none.
    #[must_use]
    pub fn restrict(&mut self, form: &Form) -> bool {
        let values: Vec<Number> = self.rows.iter().map(|r| form.at(r)).collect();
        let varying = (1..values.len()).filter(|&i| values[i] != 0);
        let Some(least) = varying.min_by_key(|&i| values[i].trailing_zeros()) else {
            return values[0] == 0;
        };
        let (by, shift) = (values[least], values[least].trailing_zeros());
        if values[0].trailing_zeros() < shift {
            return false;
        }
        let mut removed = self.rows.swap_remove(least);
        let mut values = values;
        values.swap_remove(least);
        for (row, &value) in self.rows.iter_mut().zip(&values) {
            eliminate(row, &removed, quotient(value, by));
        }
        if shift > 0 {
            // So often, the direction makes no difference to the form.
            removed.iter_mut().for_each(|x| *x <<= 64 - shift);
            if removed.iter().any(|&x| x != 0) {
                self.rows.push(removed);
            }
        }
        self.pivots.clear();
        true
    }

    /// Adds the points of another space, and all on lines through two points; `false` if all are
    /// there already.  Counts the multiplications.
    pub fn join(&mut self, other: &Self, work: &mut u64) -> bool {
        self.reduce(work);
        let mut grown = false;
        for (i, row) in other.rows.iter().enumerate() {
            let mut rest = row.clone();
            if i == 0 {
                eliminate(&mut rest, &self.rows[0], 1);
            }
            *work += rest.len() as u64;
            let is_known = self.rows[1..].iter().zip(&self.pivots).all(|(known, &pivot)| {
                if rest[pivot] == 0 {
                    return true;
                }
                let divides = rest[pivot].trailing_zeros() >= known[pivot].trailing_zeros();
                if divides {
                    *work += rest.len() as u64;
                    let times = quotient(rest[pivot], known[pivot]);
                    eliminate(&mut rest, known, times);
                }
                divides
            });
            if !is_known || rest.iter().any(|&x| x != 0) {
                self.rows.push(rest);
                self.pivots.clear();
                self.reduce(work);
                grown = true;
            }
        }
        grown
    }

    /// Relations that generate all that hold between some columns, and are independent of each
    /// other.
    pub fn relations(&self, columns: &[usize], work: &mut u64) -> Vec<Relation> {
        let wanted =
            |row: &Vec<Number>| [0].iter().chain(columns).map(|&c| row[c]).collect::<Vec<Number>>();
        let mut space = Self { rows: self.rows.iter().map(wanted).collect(), pivots: vec![] };
        let mut is_first = true;
        space.rows.retain(|r| std::mem::take(&mut is_first) || r.iter().any(|&x| x != 0));
        space.reduce(work);
        let count = columns.len() + 1;
        let free = (1..count).filter(|c| !space.pivots.contains(c));
        // The coefficients of pivots follow from those of other columns, and from those of later
        // pivots.
        let solve = |column: usize, rows: usize, precision: u32, modulo: Option<u32>| {
            let mut coefficients: Vec<Number> = vec![0; count];
            coefficients[column] = 1;
            for (row, &pivot) in space.rows[1..].iter().zip(&space.pivots).take(rows).rev() {
                let sum = (1..count).filter(|&c| c != pivot).fold(0_u64, |sum, c| {
                    sum.wrapping_add(coefficients[c].wrapping_mul(quotient(row[c], row[pivot])))
                });
                coefficients[pivot] = sum.wrapping_neg();
            }
            let point = (1..count).fold(0_u64, |sum, c| {
                sum.wrapping_add(coefficients[c].wrapping_mul(space.rows[0][c]))
            });
            coefficients[0] = point.wrapping_neg();
            Relation { coefficients, precision, modulo }
        };
        let zeros = |i: usize, pivot: usize| space.rows[i + 1][pivot].trailing_zeros();
        let pivots = || space.pivots.iter().copied().enumerate();
        // Quotients of even numbers lack the highest bits.
        let precision = 64 - pivots().map(|(i, pivot)| zeros(i, pivot)).max().unwrap_or(0);
        let mut found: Vec<Relation> =
            free.map(|c| solve(c, space.pivots.len(), precision, None)).collect();
        for (i, pivot) in pivots() {
            let bits = zeros(i, pivot);
            if bits > 0 {
                found.push(solve(pivot, i, bits, Some(bits)));
            }
        }
        found
    }

    /// Eliminates directions by each other.
    fn reduce(&mut self, work: &mut u64) {
        if self.pivots.len() + 1 == self.rows.len() {
            return;
        }
        self.pivots.clear();
        let columns = self.rows[0].len();
        let mut done = 1;
        while done < self.rows.len() {
            *work += ((self.rows.len() - done) * columns) as u64;
            let entries = self.rows[done..].iter().enumerate().flat_map(|(i, row)| {
                row.iter().enumerate().map(move |(c, x)| (x.trailing_zeros(), i, c))
            });
            // Of equally good entries, the first is taken: later columns are expressed by earlier
            // ones.
            let best = entries.min_by_key(|&(zeros, i, c)| (zeros, c, i));
            let Some((zeros, i, pivot)) = best.filter(|&(zeros, ..)| zeros < 64) else {
                self.rows.truncate(done);
                break;
            };
            self.rows.swap(done, done + i);
            let row = self.rows[done].clone();
            for (j, other) in self.rows.iter_mut().enumerate() {
                // The point's entry is reduced as far as it goes.
                let divides = other[pivot].trailing_zeros() >= zeros && other[pivot] != 0;
                if (j == 0 || j > done) && divides {
                    *work += columns as u64;
                    let by = quotient(other[pivot], row[pivot]);
                    eliminate(other, &row, by);
                }
            }
            self.pivots.push(pivot);
            done += 1;
        }
    }
}

/// Subtracts a multiple of a row.
fn eliminate(from: &mut [Number], row: &[Number], times: Number) {
    for (x, &y) in from.iter_mut().zip(row) {
        *x = x.wrapping_sub(times.wrapping_mul(y));
    }
}

/// A number by which to multiply `b`, which is not 0, for getting `a`, which has as many zeros at
/// its end.
fn quotient(a: Number, b: Number) -> Number {
    let shift = b.trailing_zeros();
    (a >> shift).wrapping_mul(inverse(b >> shift))
}

/// The inverse of an odd number.
fn inverse(odd: Number) -> Number {
    // Each of Newton's steps doubles the number of right bits, of which the number itself has
    // three.
    (0..5).fold(odd, |x, _| x.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(x))))
}
