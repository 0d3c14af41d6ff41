#!/usr/bin/env python3
"""Draws what sweep.py measured: throughput and p99 against connections, items and item size, as SVG.

    plot.py SWEEP.json DIRECTORY        draws again what ./dev bench --sweep has measured

Both axes are logarithmic. The pictures follow the reader's light or dark theme.
"""

import json
import math
import sys
from pathlib import Path

WIDTH, HEIGHT = 640, 400
LEFT, RIGHT, TOP, BOTTOM = 78, 90, 44, 56
TITLES = {"connections": "connections", "items": "items in the table", "item_bytes": "bytes of an item"}
FIGURES = {"ops_per_second": ("throughput", "operations per second"), "p99_us": ("p99", "p99 latency in microseconds")}
NAMES = {"get": "GetItem", "put": "PutItem", "query": "Query of 10"}
STYLE = """
  text { font: 12px system-ui, sans-serif; fill: #333 }
  .title { font-size: 14px; font-weight: 600 }
  .grid { stroke: #ddd; stroke-width: 1 }
  .line { fill: none; stroke-width: 2 }
  .get { stroke: #1f6feb; fill: #1f6feb } .put { stroke: #c2410c; fill: #c2410c } .query { stroke: #15803d; fill: #15803d }
  polyline.get, polyline.put, polyline.query { fill: none }
  text.get, text.put, text.query { stroke: none }
  @media (prefers-color-scheme: dark) {
    text { fill: #ddd } .grid { stroke: #444 }
    .get { stroke: #79b8ff; fill: #79b8ff } .put { stroke: #fdba74; fill: #fdba74 } .query { stroke: #86efac; fill: #86efac }
  }
"""


def short(value):
    for size, letter in ((1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{value / size:g}{letter}"
    return f"{value:g}"


def decades(low, high):
    """Round numbers for the ticks of a logarithmic axis: 1, 2 and 5 of each power of ten."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    ticks = [digit * 10.0**power for power in range(first, last + 1) for digit in (1, 2, 5)]
    return [tick for tick in ticks if low <= tick <= high]


class Axis:
    """Maps values to pixels, by their logarithm."""

    def __init__(self, low, high, from_pixel, to_pixel):
        self.low, self.high = math.log(low), math.log(high)
        self.from_pixel, self.to_pixel = from_pixel, to_pixel

    def __call__(self, value):
        share = (math.log(value) - self.low) / ((self.high - self.low) or 1)
        return self.from_pixel + share * (self.to_pixel - self.from_pixel)


def spread(labels, distance=15):
    """Moves labels apart that would lie upon each other: [(y, text, kind)] from top to bottom."""
    placed = []
    for y, text, kind in sorted(labels):
        if placed:
            y = max(y, placed[-1][0] + distance)
        placed.append((y, text, kind))
    return placed


def draw(dimension, figure, lines):
    _, label = FIGURES[figure]
    points = [(point["x"], max(point[figure], 1e-3)) for line in lines.values() for point in line]
    xs = sorted({x for x, _ in points})
    low, high = min(y for _, y in points) / 1.3, max(y for _, y in points) * 1.3
    across = Axis(xs[0], xs[-1], LEFT, WIDTH - RIGHT)
    up = Axis(low, high, HEIGHT - BOTTOM, TOP)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">',
           f"<style>{STYLE}</style>",
           f'<text class="title" x="{LEFT}" y="22">{label}, by {TITLES[dimension]}</text>']
    for tick in decades(low, high):
        y = up(tick)
        out.append(f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>')
        out.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{short(tick)}</text>')
    for x in xs:
        out.append(f'<text x="{across(x):.1f}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle">{short(x)}</text>')
    out.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 14}" text-anchor="middle">{TITLES[dimension]}</text>')
    labels = []
    for kind, line in lines.items():
        places = [(across(point["x"]), up(max(point[figure], 1e-3))) for point in line]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        out.append(f'<polyline class="line {kind}" points="{path}"/>')
        out.extend(f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="2.5"/>' for x, y in places)
        labels.append((places[-1][1] + 4, NAMES[kind], kind))
    out.extend(f'<text class="{kind}" x="{WIDTH - RIGHT + 8}" y="{y:.1f}">{text}</text>' for y, text, kind in spread(labels))
    out.append("</svg>")
    return "\n".join(out) + "\n"


def draw_all(sweep, directory):
    """Yields the files it has written."""
    for dimension in TITLES:
        for figure, (name, _) in FIGURES.items():
            target = Path(directory) / f"{name}-by-{dimension.replace('_', '-')}.svg"
            target.write_text(draw(dimension, figure, sweep[dimension]), encoding="utf-8")
            yield target


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    for picture in draw_all(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")), sys.argv[2]):
        print(f"wrote {picture}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
