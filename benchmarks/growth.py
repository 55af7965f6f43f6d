"""Draws how milliseconds grow with the number of memories."""

import math
from collections.abc import Callable, Mapping, Sequence

WIDTH, HEIGHT = 720, 320
LEFT, RIGHT, TOP, BOTTOM = 60, 20, 50, 40
COLOURS = ("#2f7d6d", "#b5651d", "#4a6fa5", "#8a5a83")

Points = Sequence[tuple[int, float]]


def picture(lines: Mapping[str, Points]) -> str:
    """Both axes logarithmic. Points are (memories, milliseconds)."""
    sizes = [size for points in lines.values() for size, _ in points]
    least, most = 1.0, 100.0
    across = _scale(min(sizes), max(sizes), LEFT, WIDTH - RIGHT)
    up = _scale(least, most, HEIGHT - BOTTOM, TOP)
    parts = [_grid(milliseconds, up(milliseconds)) for milliseconds in (1, 2, 5, 10, 20, 50, 100)]
    parts += [
        _text(across(size), HEIGHT - BOTTOM + 20, f"{size:,}", "middle")
        for size in sorted(set(sizes))
    ]
    for number, (name, points) in enumerate(lines.items()):
        colour = COLOURS[number % len(COLOURS)]
        path = [(across(size), up(min(most, max(least, value)))) for size, value in points]
        joined = " ".join(f"{x:.1f},{y:.1f}" for x, y in path)
        parts.append(
            f'<polyline points="{joined}" fill="none" stroke="{colour}" stroke-width="2"/>'
        )
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colour}"/>' for x, y in path]
        parts += [
            _text(x, y - 9, f"{value:.1f}", "middle")
            for (x, y), (_, value) in zip(path, points, strict=True)
        ]
        parts.append(
            f'<rect x="{LEFT + 320 * number}" y="14" width="12" height="12" fill="{colour}"/>'
        )
        parts.append(_text(LEFT + 320 * number + 18, 25, name, "start"))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        'font-family="sans-serif" font-size="13"><title>Milliseconds of 95 % of the searches, by '
        "memories in the store, without the embedder</title><style>text{fill:#444}"
        "@media(prefers-color-scheme:dark){text{fill:#ccc}}</style>"
        f"{''.join(parts)}</svg>\n"
    )


def _scale(least: float, most: float, begin: float, end: float) -> Callable[[float], float]:
    low, high = math.log(least), math.log(max(most, least * 1.01))
    return lambda value: begin + (end - begin) * (math.log(value) - low) / (high - low)


def _grid(milliseconds: int, y: float) -> str:
    line = f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="#8884"/>'
    return line + _text(LEFT - 8, y + 4, f"{milliseconds} ms", "end")


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}">{text}</text>'
