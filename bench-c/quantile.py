"""Quantile plots: how many programs are decided within a time, each by itself."""

from math import log10

COLOURS = ["#c0392b", "#2471a3", "#e67e22", "#8e44ad", "#1e8449", "#17202a", "#b7950b", "#5d6d7e", "#d98880"]


def quantile(times, path):
    """Writes an SVG; `times` has the seconds of the programs that each configuration decides."""
    width, height, left, top = 680, 360, 60, 20
    most = max([len(of) for of in times.values()] + [1])
    low, high = 0.01, 100.0

    def y(seconds):
        share = (log10(max(seconds, low)) - log10(low)) / (log10(high) - log10(low))
        return top + (height - 60) * (1 - min(share, 1))

    def x(count):
        return left + (width - left - 190) * count / most

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="11">',
           f'<rect width="{width}" height="{height}" fill="white"/>']
    for power in range(-2, 3):
        at = y(10.0 ** power)
        out.append(f'<line x1="{left}" y1="{at:.1f}" x2="{x(most):.1f}" y2="{at:.1f}" stroke="#ddd"/>'
                   f'<text x="{left - 6}" y="{at + 4:.1f}" text-anchor="end">{10.0 ** power:g} s</text>')
    for count in sorted({0, most // 4, most // 2, 3 * most // 4, most}):
        out.append(f'<text x="{x(count):.1f}" y="{height - 22}" text-anchor="middle">{count}</text>')
    out.append(f'<text x="{x(most / 2):.1f}" y="{height - 6}" text-anchor="middle">programs decided, each within the time</text>')
    for i, (name, of) in enumerate(times.items()):
        colour = COLOURS[i % len(COLOURS)]
        points = " ".join(f"{x(k + 1):.1f},{y(t):.1f}" for k, t in enumerate(sorted(of)))
        out.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
        out.append(f'<rect x="{width - 175}" y="{top + 18 * i}" width="12" height="4" fill="{colour}"/>'
                   f'<text x="{width - 158}" y="{top + 18 * i + 6}">{name} ({len(of)})</text>')
    out.append("</svg>")
    path.write_text("\n".join(out) + "\n")
