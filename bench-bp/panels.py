"""One SVG with a small plot for each family: seconds against its parameter, a line for each tool."""
import html
import math

# By place of the tool: colours on light and on dark ground (after Okabe and Ito), and markers.
COLORS = [("#000000", "#ffffff"), ("#0072b2", "#56b4e9"), ("#009e73", "#2fc79b"), ("#b8860b", "#f0c04c"),
          ("#7b3fa0", "#c797e6"), ("#d55e00", "#ff8c42"), ("#c4347f", "#ff7ab8"), ("#666666", "#a8a8a8")]
WIDTH, HEIGHT, LEFT, TOP, GAP = 138, 92, 44, 64, 34
COLUMNS = 6
LEAST = 0.005


def panels(growths, tools, peers, limit):
    """The picture. `growths`: (title, points) with `parameter` and `seconds` by tool; peers have dashed lines."""
    rows = math.ceil(len(growths) / COLUMNS)
    columns = min(COLUMNS, len(growths))
    width = max(LEFT + columns * (WIDTH + 14) + 10, LEFT + 92 * len(tools))
    height = TOP + rows * (HEIGHT + GAP)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
           'font-family="sans-serif" font-size="10">', style(len(tools)), '<rect class="ground" width="100%" height="100%"/>',
           f'<text x="{LEFT}" y="16" font-size="12">Seconds by parameter, both axes logarithmic; dashed: other tools; '
           f'×: not decided in {limit:g} s, or has no translation</text>']
    for i, tool in enumerate(tools):
        x = LEFT + 92 * i
        dashed = " dashed" if tool in peers else ""
        out.append(f'<path class="line t{i}{dashed}" d="M{x} 36h24"/>{marker(i, x + 12, 36)}'
                   f'<text x="{x + 30}" y="39.5">{html.escape(tool)}</text>')
    for k, (title, points) in enumerate(growths):
        x, y = LEFT + (k % COLUMNS) * (WIDTH + 14), TOP + (k // COLUMNS) * (HEIGHT + GAP)
        out += panel(title, points, tools, peers, limit, x, y, k % COLUMNS == 0)
    return "\n".join(out + ["</svg>\n"])


def style(count):
    lines = [".ground{fill:#fff}text{fill:#222}.grid{stroke:#ddd;fill:none}.frame{stroke:#999;fill:none}",
             ".line{fill:none;stroke-width:1.4;stroke-linejoin:round}.dashed{stroke-dasharray:4 2}.none{stroke-width:1.4}"]
    dark = [".ground{fill:#16181c}text{fill:#ddd}.grid{stroke:#33363c}.frame{stroke:#777}"]
    for i in range(count):
        for rules, color in zip((lines, dark), COLORS[i % len(COLORS)]):
            rules.append(f".t{i}{{stroke:{color}}}.m{i}{{fill:{color}}}")
    return f"<style>{''.join(lines)}@media(prefers-color-scheme:dark){{{''.join(dark)}}}</style>"


def marker(tool, x, y):
    """Shapes differ too, for those who do not see the colours."""
    shapes = ["M{l} {m}a2 2 0 1 0 4 0a2 2 0 1 0 -4 0", "M{l} {t}h4v4h-4z", "M{x} {t}l2.4 4h-4.8z", "M{x} {b}l2.4 -4h-4.8z"]
    shape = shapes[tool % len(shapes)].format(l=f"{x - 2:.1f}", m=f"{y:.1f}", t=f"{y - 2:.1f}", b=f"{y + 2:.1f}", x=f"{x:.1f}")
    return f'<path class="m{tool}" d="{shape}"/>'


def panel(title, points, tools, peers, limit, left, top, labelled):
    low, high = math.log(LEAST), math.log(limit * 1.6)
    first, last = math.log(points[0]["parameter"]), math.log(points[-1]["parameter"])

    def place(parameter, seconds):
        across = (math.log(parameter) - first) / (last - first) if last > first else 0.5
        up = (math.log(max(seconds, LEAST)) - low) / (high - low)
        return left + 6 + across * (WIDTH - 12), top + HEIGHT * (1 - up)

    out = [f'<text x="{left}" y="{top - 4}" font-weight="bold">{html.escape(title)}</text>']
    decade = 0.01
    while decade <= limit * 1.001:
        y = place(points[0]["parameter"], decade)[1]
        out.append(f'<path class="grid" d="M{left} {y:.1f}h{WIDTH}"/>')
        if labelled:
            out.append(f'<text x="{left - 4}" y="{y + 3:.1f}" text-anchor="end">{decade:g} s</text>')
        decade *= 10
    out.append(f'<rect class="frame" x="{left}" y="{top}" width="{WIDTH}" height="{HEIGHT}"/>')
    for anchor, point in (("start", points[0]), ("end", points[-1])):
        x = left if anchor == "start" else left + WIDTH
        out.append(f'<text x="{x}" y="{top + HEIGHT + 11}" text-anchor="{anchor}">{point["parameter"]}</text>')
    # The first tool lies above the others.
    for i in reversed(range(len(tools))):
        decided = [(*place(p["parameter"], p["seconds"][i]), p) for p in points if p["seconds"][i] is not None]
        dashed = " dashed" if tools[i] in peers else ""
        if len(decided) > 1:
            way = "L".join(f"{x:.1f} {y:.1f}" for x, y, _ in decided)
            out.append(f'<path class="line t{i}{dashed}" d="M{way}"/>')
        out += [marker(i, x, y) for x, y, _ in decided]
        lost = next((p for p in points if p["seconds"][i] is None), None)
        if lost:
            # Beside each other where several give up at the same place.
            x, y = place(lost["parameter"], limit * 1.2)
            x += 3 * (i - len(tools) / 2)
            out.append(f'<path class="none t{i}" d="M{x - 2.2:.1f} {y - 2.2:.1f}l4.4 4.4m0 -4.4l-4.4 4.4"/>')
    return out
