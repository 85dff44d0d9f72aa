//! Plots in SVG, that are legible on light and on dark pages: the colours of the text are those for
//! light ones, and a style sheet inside the SVG replaces them where the reader prefers dark.

mod marker;
mod scale;

use plotters::chart::ChartContext;
use plotters::coord::Shift;
use plotters::prelude::*;
use thiserror::Error;

use self::marker::Marker;
use self::scale::Scale;
use super::comparison::Comparison;
use super::growth::{Growth, Point};
use super::measurement::Row;
use hardbop_report::document::Verdict;

/// A plot could not be drawn.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("a plot cannot be drawn: {0}")]
pub struct PlotError(String);

/// Width and height, in pixels.
const WIDE: (u32, u32) = (760, 420);
const SQUARE: (u32, u32) = (580, 480);

const INK: RGBColor = RGBColor(0x1F, 0x23, 0x28);
const GRID: RGBColor = RGBColor(0xD0, 0xD7, 0xDE);
const FAINT: RGBColor = RGBColor(0xEA, 0xEE, 0xF2);
const PAPER: RGBColor = RGBColor(0xFF, 0xFF, 0xFE);
/// The colours of the series, distinct also for the colour-blind (Okabe and Ito).
const SERIES: [RGBColor; 6] = [
    RGBColor(0x00, 0x72, 0xB2),
    RGBColor(0xD5, 0x5E, 0x00),
    RGBColor(0x00, 0x9E, 0x73),
    RGBColor(0xCC, 0x79, 0xA7),
    RGBColor(0xB8, 0x86, 0x0B),
    RGBColor(0x7A, 0x5C, 0xC4),
];

/// The colours on dark pages, for those above that need another one.
const DARK: &str = "<style>@media (prefers-color-scheme: dark) {\
[fill=\"#1F2328\"]{fill:#E6EDF3}[stroke=\"#1F2328\"]{stroke:#E6EDF3}\
[stroke=\"#D0D7DE\"]{stroke:#3D444D}[stroke=\"#EAEEF2\"]{stroke:#21262D}\
[fill=\"#FFFFFE\"]{fill:#0D1117}\
[fill=\"#0072B2\"]{fill:#58A6FF}[stroke=\"#0072B2\"]{stroke:#58A6FF}\
[fill=\"#D55E00\"]{fill:#F0883E}[stroke=\"#D55E00\"]{stroke:#F0883E}\
[fill=\"#7A5CC4\"]{fill:#A78BFA}[stroke=\"#7A5CC4\"]{stroke:#A78BFA}\
}</style>\n";

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<Scale, Scale>>;
type Failure = DrawingAreaErrorKind<std::io::Error>;
type Points = Vec<(f64, f64)>;

/// Seconds against the number of files decided within them, a curve for each contestant.
///
/// # Errors
/// [`PlotError`] where the library refuses to draw.
pub fn cactus(comparison: &Comparison) -> Result<String, PlotError> {
    let curves: Vec<Curve> = (0..comparison.contestants.len())
        .map(|c| {
            let mut times: Vec<f64> =
                comparison.files.iter().filter_map(|row| row.seconds(c)).collect();
            times.sort_by(f64::total_cmp);
            let points = times.iter().enumerate().map(|(i, &t)| ((i + 1) as f64, t)).collect();
            Curve { name: &comparison.contestants[c].name, points }
        })
        .collect();
    let files = comparison.files.len() as f64;
    curves_plot(comparison, "Files decided within a time", "files decided", files, &curves)
}

/// Seconds against the parameter of a family, a curve for each contestant.
///
/// # Errors
/// [`PlotError`] where the library refuses to draw.
pub fn growth_plot(comparison: &Comparison, family: &Growth) -> Result<String, PlotError> {
    let curves: Vec<Curve> = (0..comparison.contestants.len())
        .map(|c| {
            let point = |p: &Point| Some((p.parameter as f64, p.seconds[c]?));
            let points: Points = family.points.iter().filter_map(point).collect();
            Curve { name: &comparison.contestants[c].name, points }
        })
        .collect();
    let last = family.points.last().map_or(1, |p| p.parameter) as f64;
    curves_plot(comparison, &family.family, "parameter", last, &curves)
}

/// Seconds of one contestant against those of another, a point for each file.
///
/// # Errors
/// [`PlotError`] where the library refuses to draw.
pub fn scatter(comparison: &Comparison, x: usize, y: usize) -> Result<String, PlotError> {
    let limit = comparison.options.time_limit_seconds;
    let name = |c: usize| comparison.contestants[c].name.as_str();
    let both = |row: &&Row| row.results[x].is_some() && row.results[y].is_some();
    let points: Vec<(Verdict, (f64, f64))> = comparison
        .files
        .iter()
        .filter(both)
        .map(|row| {
            let time = |c| row.seconds(c).unwrap_or(limit).min(limit);
            (row.verdict(), (time(x), time(y)))
        })
        .collect();
    let scale = Scale::times(points.iter().flat_map(|&(_, (a, b))| [a, b]), limit);
    let (low, high) = (scale.low(), scale.high());
    draw(SQUARE, |area| {
        let title = format!("{} and {}", name(x), name(y));
        let names = (format!("time of {}", name(x)), format!("time of {}", name(y)));
        let kinds = [Verdict::Safe, Verdict::Unsafe, Verdict::Unknown];
        let area = legend(area, &["safe", "unsafe", "undecided"])?;
        let mut chart = chart(&area, &title, (&names.0, scale), (&names.1, scale))?;
        // Equal, and ten times as fast or slow.
        line(&mut chart, vec![(low, low), (high, high)], INK.stroke_width(1))?;
        line(&mut chart, vec![(low, low * 10.0), (high / 10.0, high)], GRID.stroke_width(1))?;
        line(&mut chart, vec![(low * 10.0, low), (high, high / 10.0)], GRID.stroke_width(1))?;
        limit_line(&mut chart, vec![(limit, low), (limit, high)])?;
        limit_line(&mut chart, vec![(low, limit), (high, limit)])?;
        for (kind, verdict) in kinds.into_iter().enumerate() {
            let points = points.iter().filter(|p| p.0 == verdict).map(|p| p.1).collect();
            markers(&mut chart, kind, points)?;
        }
        Ok(())
    })
}

struct Curve<'a> {
    name: &'a str,
    points: Points,
}

/// Times upwards, up to the limit.
fn curves_plot(
    comparison: &Comparison,
    title: &str,
    across: &str,
    last: f64,
    curves: &[Curve],
) -> Result<String, PlotError> {
    let limit = comparison.options.time_limit_seconds;
    let scale = Scale::times(curves.iter().flat_map(|c| &c.points).map(|p| p.1), limit);
    draw(WIDE, |area| {
        let counts = Scale::counts(last);
        let names: Vec<&str> = curves.iter().map(|c| c.name).collect();
        let area = legend(area, &names)?;
        let mut chart = chart(&area, title, (across, counts), ("time", scale))?;
        limit_line(&mut chart, vec![(counts.low(), limit), (counts.high(), limit)])?;
        for (kind, curve) in curves.iter().enumerate() {
            let points = curve.points.clone();
            line(&mut chart, points.clone(), color(kind).stroke_width(2))?;
            markers(&mut chart, kind, points)?;
        }
        Ok(())
    })
}

fn draw(
    size: (u32, u32),
    content: impl FnOnce(&Area<'_>) -> Result<(), Failure>,
) -> Result<String, PlotError> {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        let done = area.fill(&PAPER).and_then(|()| content(&area)).and_then(|()| area.present());
        done.map_err(|e| PlotError(e.to_string()))?;
    }
    // Before the first thing that is drawn.
    let start = svg.find("<rect").unwrap_or(svg.len());
    svg.insert_str(start, DARK);
    Ok(svg)
}

fn text(size: u32) -> TextStyle<'static> {
    TextStyle::from(("sans-serif", size)).color(&INK)
}

fn color(kind: usize) -> RGBColor {
    SERIES[kind % SERIES.len()]
}

/// An empty chart: a title, and for each axis its title and its scale.
fn chart<'a, 'b>(
    area: &'a Area<'b>,
    title: &str,
    (across, x): (&str, Scale),
    (up, y): (&str, Scale),
) -> Result<Chart<'a, 'b>, Failure> {
    let mut chart = ChartBuilder::on(area)
        .caption(title, text(18))
        .margin(12)
        .margin_right(8)
        .x_label_area_size(46)
        .y_label_area_size(76)
        .build_cartesian_2d(x, y)?;
    chart
        .configure_mesh()
        .axis_style(INK)
        .bold_line_style(GRID)
        .light_line_style(FAINT)
        .label_style(text(13))
        .axis_desc_style(text(14))
        .x_desc(across)
        .y_desc(up)
        .draw()?;
    Ok(chart)
}

fn line(chart: &mut Chart, points: Points, style: ShapeStyle) -> Result<(), Failure> {
    chart.draw_series(LineSeries::new(points, style)).map(drop)
}

/// The line of the time limit.
fn limit_line(chart: &mut Chart, points: Points) -> Result<(), Failure> {
    chart.draw_series(DashedLineSeries::new(points, 4, 4, INK.stroke_width(1))).map(drop)
}

/// The points of a series.
fn markers(chart: &mut Chart, kind: usize, points: Points) -> Result<(), Failure> {
    let markers = points.into_iter().map(|at| Marker { at, kind, color: color(kind) });
    chart.draw_series(markers).map(drop)
}

/// Names the series at the right edge, where no curve is; returns what is left of the area.
fn legend<'a>(area: &Area<'a>, names: &[&str]) -> Result<Area<'a>, Failure> {
    let longest = names.iter().map(|n| n.chars().count()).max().unwrap_or(0);
    let width = (longest * 8 + 40).min(240) as i32;
    let (left, right) = area.split_horizontally(area.dim_in_pixel().0 as i32 - width);
    for (kind, name) in names.iter().enumerate() {
        let y = 56 + 22 * kind as i32;
        right.draw(&Marker { at: (8, y), kind, color: color(kind) })?;
        right.draw(&Text::new((*name).to_owned(), (20, y - 6), text(13)))?;
    }
    Ok(left)
}

#[cfg(test)]
mod tests {
    use super::super::sample::{comparison, row};
    use super::*;

    #[test]
    fn colours_of_light_pages_have_others_on_dark_ones() {
        for RGBColor(r, g, b) in [INK, GRID, FAINT, PAPER] {
            assert!(DARK.contains(&format!("#{r:02X}{g:02X}{b:02X}")), "{r} {g} {b}");
        }
    }

    #[test]
    fn plots_have_titles_axes_and_series() {
        let comparison = comparison(vec![
            row("f-1.bp", [Some(0.5), Some(0.02)]),
            row("f-2.bp", [Some(1.5), None]),
        ]);
        let growth = growth_plot(&comparison, &comparison.growth[0]).expect("a plot");
        let plots = [
            (cactus(&comparison).expect("a plot"), ["files decided", "10 ms", "10 s"]),
            (scatter(&comparison, 0, 1).expect("a plot"), ["time of a", "time of b", "safe"]),
            (growth, ["parameter", "100 ms", "time"]),
        ];
        for (svg, words) in plots {
            for word in words {
                assert!(svg.contains(word), "{word}: {svg}");
            }
            assert!(svg.contains("prefers-color-scheme"), "{svg}");
        }
    }

    #[test]
    fn nothing_measured_is_no_error() {
        let none = comparison(Vec::new());
        assert!(cactus(&none).is_ok() && scatter(&none, 0, 1).is_ok());
    }
}
