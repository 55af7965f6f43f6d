"""How a lesson climbs and falls: ``python benchmarks/climb.py [--svg FILE]``; some seconds.

Real episodes through the real engine, on a clock that is made up: what is drawn is what is stored.
"""

import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from common import Goal, Report, arguments
from hindsight_memory import logs
from hindsight_memory.core.induction import DOUBTFUL
from hindsight_memory.core.policy import Status
from hindsight_memory.engine.memories import Memories
from hindsight_memory.interfaces.library import Hindsight
from hindsight_memory.testing.agent_life import UNICODE, Life
from hindsight_memory.testing.fakes import FrozenClock

WIDTH, HEIGHT, LEFT, RIGHT, BOTTOM, TOP = 760, 360, 60, 40, 84, 66
LESSON = "read_csv (path=*.csv) with encoding=utf-8 failed; encoding=gbk worked"
LOWEST, HIGHEST = 0.4, 0.9
"""Scores at the bottom and the top of the picture."""


@dataclass(frozen=True, slots=True)
class Step:
    """What happened in a session, in two lines of the picture, and what is then expected."""

    told: tuple[str, str]
    lives: Callable[[Life, str], object]
    expected: Status


@dataclass(frozen=True, slots=True)
class Stage:
    step: Step
    status: Status
    score: float
    reason: str


def fails_then_works(life: Life, session: str) -> None:
    life.reads_gbk(session)


def works(life: Life, session: str) -> None:
    life.call(session, "read_csv", path="b.csv", encoding="gbk")


def works_where_it_was_shown(life: Life, session: str) -> None:
    life.is_shown(session, life.lesson())
    works(life, session)


def fails(life: Life, session: str) -> None:
    life.call(session, "read_csv", UNICODE, path="c.csv", encoding="gbk")


STEPS = (
    Step(("utf-8 failed,", "gbk worked"), fails_then_works, Status.TENTATIVE),
    Step(("gbk worked,", "shown: counts 0"), works_where_it_was_shown, Status.TENTATIVE),
    Step(("gbk worked,", "other session"), works, Status.CONFIRMED),
    Step(("gbk failed:", "counter-example"), fails, Status.DISPUTED),
    Step(("gbk failed", "again"), fails, Status.DISPUTED),
    Step(("gbk failed", "a third time"), fails, Status.DEPRECATED),
)


def main() -> int:
    parser = arguments(__doc__ or "", ())
    parser.add_argument("--svg", type=Path, metavar="FILE", help="draw it there")
    given = parser.parse_args()
    logs.configure("warning")
    with (
        tempfile.TemporaryDirectory() as folder,
        Hindsight.open(f"sqlite:///{folder}/memory.db", embedder="hashing:256") as opened,
    ):
        clock = FrozenClock()
        memories = Memories(replace(opened.memories.parts, clock=clock))
        stages = lived(Life(Hindsight(memories, opened.caller), clock))
    report = Report()
    report.table(
        "A lesson, session by session",
        [
            {
                "what happened": " ".join(stage.step.told),
                "status": stage.status.value,
                "score": stage.score,
                "why": stage.reason,
            }
            for stage in stages
        ],
    )
    as_expected = sum(stage.status is stage.step.expected for stage in stages)
    report.goals.append(Goal("steps as the rules say", as_expected, least=len(STEPS)))
    if given.svg is not None:
        given.svg.write_text(picture(stages), "utf-8")
    return report.finish(given.json)


def lived(life: Life) -> list[Stage]:
    stages = []
    for number, step in enumerate(STEPS, start=1):
        step.lives(life, f"s{number}")
        life.looks_back(f"s{number}")
        lesson = life.lesson()
        reason = life.memory.history(lesson.id).revisions[-1].reason
        stages.append(Stage(step, lesson.status, lesson.confidence, reason))
    return stages


def picture(stages: Sequence[Stage]) -> str:
    """The score after each session and what it made of the lesson, for light and dark pages."""
    drawn = "\n  ".join([*_grid(), *_stages(stages)])
    path = " ".join(f"{x},{y}" for x, y in _places(stages))
    told = 'role="img" aria-labelledby="title desc"'
    steps = "; ".join(f"{' '.join(each.step.told)}: {each.status.value}" for each in stages)
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" {told}>
  <title id="title">How a lesson climbs and falls</title>
  <desc id="desc">{steps}.</desc>
  <style>{STYLE}  </style>
  <rect class="panel" x="1" y="1" width="{WIDTH - 2}" height="{HEIGHT - 2}" rx="12"/>
  <text class="head" x="22" y="30">{LESSON}</text>
  <polyline points="{path}"/>
  {drawn}
</svg>
"""


def _grid() -> Iterator[str]:
    for tenths in range(4, 10):
        y = _height(tenths / 10)
        kind = "grid limit" if tenths == 10 * DOUBTFUL else "grid"
        yield f'<path class="{kind}" d="M{LEFT} {y} H{WIDTH - RIGHT}"/>'
        yield f'<text class="small right" x="{LEFT - 8}" y="{y + 4}">{tenths / 10}</text>'


def _stages(stages: Sequence[Stage]) -> Iterator[str]:
    for stage, (x, y) in zip(stages, _places(stages), strict=True):
        yield f'<circle class="{stage.status}" cx="{x}" cy="{y}" r="7"/>'
        yield f'<text class="status middle" x="{x}" y="{y - 14}">{stage.status}</text>'
        for line, words in enumerate(stage.step.told):
            below = HEIGHT - BOTTOM + 26 + 17 * line
            yield f'<text class="small middle" x="{x}" y="{below}">{words}</text>'


def _places(stages: Sequence[Stage]) -> list[tuple[float, float]]:
    step = (WIDTH - LEFT - RIGHT) / len(stages)
    return [
        (round(LEFT + step * (number + 0.5), 1), _height(stage.score))
        for number, stage in enumerate(stages)
    ]


def _height(score: float) -> float:
    share = (score - LOWEST) / (HIGHEST - LOWEST)
    return round(HEIGHT - BOTTOM - share * (HEIGHT - BOTTOM - TOP), 1)


STYLE = """
    text { font: 13px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #1f2933; }
    polyline { fill: none; stroke: #8a97a6; stroke-width: 2; }
    circle { stroke: #f4f6f8; stroke-width: 2; }
    .tentative { fill: #b7791f; } .confirmed { fill: #2f855a; }
    .disputed { fill: #97266d; } .deprecated { fill: #8a97a6; }
    .small { font-size: 12px; fill: #4a5765; }
    .status { font-weight: 600; paint-order: stroke; stroke: #f4f6f8; stroke-width: 5px; }
    .right { text-anchor: end; } .middle { text-anchor: middle; }
    .head { font-size: 15px; font-weight: 600; }
    .grid { stroke: #c3ccd5; } .limit { stroke: #c53030; stroke-dasharray: 5 4; }
    .panel { fill: #f4f6f8; stroke: #9aa7b4; }
    @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3; }
      .small { fill: #aebac6; }
      .grid { stroke: #30363d; } .limit { stroke: #fc8181; }
      .panel { fill: #161b22; stroke: #4a5765; }
      circle, .status { stroke: #161b22; }
    }
"""


if __name__ == "__main__":
    sys.exit(main())
