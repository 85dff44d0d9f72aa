//! The points of the plots: series differ by colour and by shape.

use std::iter::{Once, once};

use plotters::element::{Drawable, PointCollection};
use plotters::prelude::{Color, DrawingBackend, RGBColor};
use plotters_backend::{BackendCoord, DrawingErrorKind};

/// The distance from the middle to the edge, in pixels.
const RADIUS: i32 = 4;

/// A point, on a chart or in a legend.
pub(super) struct Marker<C> {
    pub at: C,
    /// Chooses the shape.
    pub kind: usize,
    pub color: RGBColor,
}

impl<'a, C: 'a> PointCollection<'a, C> for &'a Marker<C> {
    type IntoIter = Once<&'a C>;
    type Point = &'a C;

    fn point_iter(self) -> Self::IntoIter {
        once(&self.at)
    }
}

impl<C, B: DrawingBackend> Drawable<B> for Marker<C> {
    fn draw<I: Iterator<Item = BackendCoord>>(
        &self,
        points: I,
        backend: &mut B,
        _parent: (u32, u32),
    ) -> Result<(), DrawingErrorKind<B::ErrorType>> {
        let thick = self.color.stroke_width(2);
        for (x, y) in points {
            let r = RADIUS;
            match self.kind % 4 {
                0 => backend.draw_circle((x, y), r as u32, &self.color.filled(), true)?,
                1 => {
                    let triangle = [(x, y - r - 1), (x - r - 1, y + r), (x + r + 1, y + r)];
                    backend.fill_polygon(triangle, &self.color.filled())?;
                }
                2 => {
                    backend.draw_line((x - r, y - r), (x + r, y + r), &thick)?;
                    backend.draw_line((x - r, y + r), (x + r, y - r), &thick)?;
                }
                _ => backend.draw_rect((x - r, y - r), (x + r, y + r), &thick, false)?,
            }
        }
        Ok(())
    }
}
