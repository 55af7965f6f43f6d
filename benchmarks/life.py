"""400 days of a chat user: what is active, cold and archived, and whether what matters is found.

``python benchmarks/life.py [--svg FILE]``; about 3 minutes. Time is made up, and the words are
drawn with a fixed seed, so every run gives the same figures but for those in seconds.
"""

import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from common import Goal, Report, arguments, say
from hindsight_memory import logs
from hindsight_memory.core.model import Tier
from hindsight_memory.core.values import same_statement
from hindsight_memory.engine.maintain import maintain
from hindsight_memory.engine.memories import Memories
from hindsight_memory.interfaces.library import Hindsight
from hindsight_memory.testing.chat_life import KEPT, ChatLife, Count
from hindsight_memory.testing.fakes import FrozenClock

DAYS = 400
LEAST_ACTIVE, MOST_ACTIVE = 200, 500
"""Active memories that such a user should end with (issue 3)."""

BRINGS_BACK = 10
"""Every so many-th retired memory is restored and looked for."""

WIDTH, HEIGHT, LEFT, RIGHT, BOTTOM, TOP = 720, 320, 56, 110, 40, 48
STRIDE = 500
"""Memories from one line of the grid to the next."""

TIERS = ("active", "cold", "archived")


def main() -> int:
    parser = arguments(__doc__ or "", ())
    parser.add_argument("--svg", type=Path, metavar="FILE", help="draw the course of it there")
    parser.add_argument("--days", type=int, default=DAYS)
    parser.add_argument("--embedder", default="hashing:256")
    given = parser.parse_args()
    logs.configure("warning")
    report, counts = Report(), list[Count]()
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/memory.db"
        with Hindsight.open(url, embedder=given.embedder) as opened:
            life = a_life(opened)
            began = time.monotonic()
            life.live(given.days, tell=lambda count: _tell(count, counts))
            seconds = time.monotonic() - began
            _report(report, life, counts, seconds / given.days)
    if given.svg is not None:
        given.svg.write_text(picture(counts), "utf-8")
    return report.finish(given.json)


def a_life(opened: Hindsight) -> ChatLife:
    clock = FrozenClock()
    parts = replace(opened.memories.parts, clock=clock)
    return ChatLife(Hindsight(Memories(parts), opened.caller), clock)


def _tell(count: Count, counts: list[Count]) -> None:
    counts.append(count)
    say(f"day {count.day}: {count.active} active, {count.cold} cold, {count.archived} archived")


def _report(report: Report, life: ChatLife, counts: Sequence[Count], day_seconds: float) -> None:
    report.table(
        "400 days of a chat user",
        [
            {
                "day": count.day,
                "written": count.written,
                "active": count.active,
                "cold": count.cold,
                "archived": count.archived,
                "kept and active": count.kept,
            }
            for count in counts
            if count.day % 40 == 0
        ],
    )
    report.table("Steps of upkeep", [{"step": name, "times": n} for name, n in life.steps.items()])
    found, unasked = first_answers(life)
    began = time.process_time()
    maintain(life.memory.memories.parts, "default", dry_run=True)
    pass_seconds = time.process_time() - began
    report.table("Time", [{"day_seconds": day_seconds, "last_pass_cpu_seconds": pass_seconds}])
    report.goals += [
        Goal("active memories at the end", counts[-1].active, least=LEAST_ACTIVE),
        Goal("active memories at the end", counts[-1].active, most=MOST_ACTIVE),
        Goal("kept memories that answer first", found, least=len(KEPT)),
        Goal("of them never asked for before", unasked, least=2),
        Goal("retired memories that come back", brought_back(life), least=1.0),
    ]


def first_answers(life: ChatLife) -> tuple[int, int]:
    """How many of KEPT are the first answer to their question, and how many of those were never
    asked for.
    """
    found = [
        each
        for each in KEPT
        if life.memory.search(each.question).hits[0].memory.content == each.content
    ]
    return len(found), sum(not each.is_asked for each in found)


def brought_back(life: ChatLife) -> float:
    """The share of retired memories that are found by their content once restored; of those whose
    time is not over, which are told last.
    """
    gone = [memory for memory in life.all() if memory.tier is not Tier.ACTIVE]
    retired = [memory for memory in gone if memory.valid_to is None][::BRINGS_BACK]
    found = 0
    for memory in retired:
        life.memory.update(memory.id, restore=True)
        hits = life.memory.search(memory.content).hits
        found += any(same_statement(hit.memory.content, memory.content) for hit in hits)
    return found / len(retired)


@dataclass(frozen=True, slots=True)
class Plane:
    """Where days and numbers of memories are in the picture."""

    days: int
    top: int

    def place(self, day: float, number: float) -> tuple[float, float]:
        x = LEFT + day / self.days * (WIDTH - LEFT - RIGHT)
        y = HEIGHT - BOTTOM - number / self.top * (HEIGHT - BOTTOM - TOP)
        return round(x, 1), round(y, 1)

    def grid(self) -> Iterator[str]:
        end, _ = self.place(self.days, 0)
        for number in range(0, self.top + 1, STRIDE):
            x, y = self.place(0, number)
            yield f'<path class="grid" d="M{x} {y} H{end}"/>'
            yield f'<text class="small right" x="{x - 8}" y="{y + 4}">{number}</text>'
        for day in range(0, self.days + 1, 100):
            x, y = self.place(day, 0)
            yield f'<text class="small middle" x="{x}" y="{y + 20}">day {day}</text>'

    def line(self, name: str, numbers: Sequence[tuple[int, int]]) -> Iterator[str]:
        places = [self.place(*each) for each in [(0, 0), *numbers]]
        path = " ".join(f"{x},{y}" for x, y in places)
        x, y = places[-1]
        yield f'<polyline class="{name}" points="{path}"/>'
        yield f'<text x="{x + 8}" y="{y + 5}">{numbers[-1][1]} {name}</text>'


def picture(counts: Sequence[Count]) -> str:
    """A line for each tier over the days, readable on light and dark pages."""
    last = counts[-1]
    most = max(getattr(count, tier) for count in counts for tier in TIERS)
    plane = Plane(days=last.day, top=-(-most // STRIDE) * STRIDE)
    lines = [
        plane.line(tier, [(count.day, getattr(count, tier)) for count in counts]) for tier in TIERS
    ]
    drawn = "\n  ".join([*plane.grid(), *chain.from_iterable(lines)])
    size = f'viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"'
    told = 'role="img" aria-labelledby="title desc"'
    return f"""<svg xmlns="http://www.w3.org/2000/svg" {size} {told}>
  <title id="title">What is active, cold and archived over {last.day} days</title>
  <desc id="desc">Of {last.written} memories written, {last.active} are active at the end,
    {last.cold} cold and {last.archived} archived.</desc>
  <style>{STYLE}  </style>
  <rect class="panel" x="1" y="1" width="{WIDTH - 2}" height="{HEIGHT - 2}" rx="12"/>
  <text class="head" x="22" y="28">{last.written} memories written in {last.day} days</text>
  {drawn}
</svg>
"""


STYLE = """
    text { font: 13px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #1f2933; }
    polyline { fill: none; stroke-width: 2.5; }
    .active { stroke: #2f855a; } .cold { stroke: #2b6cb0; } .archived { stroke: #8a97a6; }
    .small { font-size: 12px; fill: #4a5765; }
    .right { text-anchor: end; } .middle { text-anchor: middle; }
    .head { font-size: 15px; font-weight: 600; }
    .grid { stroke: #c3ccd5; }
    .panel { fill: #f4f6f8; stroke: #9aa7b4; }
    @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3; }
      .small { fill: #aebac6; }
      .grid { stroke: #30363d; }
      .panel { fill: #161b22; stroke: #4a5765; }
    }
"""


if __name__ == "__main__":
    sys.exit(main())
