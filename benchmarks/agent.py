"""What memory saves an agent: ``python benchmarks/agent.py [--svg FILE]``. A simulation.

50 tasks (files, services, databases), three passes, by an agent without a model: it tries the usual
arguments, obeys advice, and after a failure tries the next ones in a fixed order. Some resources
want other arguments than usual, and say so only by failing. Memory is off, or on and kept from task
to task. No model and no network take part, and every run prints the same but for seconds.
"""

import random
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from common import Cell, Goal, Report, arguments, say
from hindsight_memory import logs
from hindsight_memory.agent.session import AgentSession
from hindsight_memory.core.model import Json
from hindsight_memory.core.text import estimated_tokens
from hindsight_memory.interfaces.library import Hindsight

TASKS, PASSES, MOST_STEPS = 50, 3, 20
PATIENCE_SECONDS = 60.0
"""A simulation waits for a slow machine; an agent would not."""

CALLS = 12
"""Calls that a task needs when all goes well."""

Arguments = dict[str, Json]

CHOICES: Mapping[str, tuple[Json, ...]] = {
    "encoding": ("utf-8", "latin-1", "utf-16", "gbk"),
    "date_format": ("%Y-%m-%d", "%m/%d/%Y", "%d.%m.%Y", "%Y年%m月%d日"),
    "pause_seconds": (0, 0.2, 1, 5),
    "dialect": ("ansi", "mysql", "postgres", "oracle"),
}
"""What the agent tries, in this order; the first is the usual one."""

ERRORS: Mapping[str, str] = {
    "encoding": "UnicodeDecodeError: 'utf-8' codec can't decode byte 0xb9",
    "date_format": "400 Bad Request: a date has the wrong format",
    "pause_seconds": "429 Too Many Requests: slow down",
    "dialect": "ProgrammingError: syntax error at or near LIMIT",
}


@dataclass(frozen=True, slots=True)
class Resource:
    """wants: the parameter that matters here, and its value. place: what names it in a call."""

    tool: str
    place: str
    wants: tuple[str, Json]


RESOURCES = (
    Resource("read_file", "orders", ("encoding", "gbk")),
    Resource("read_file", "clients", ("encoding", "utf-8")),
    Resource("read_file", "archive", ("encoding", "latin-1")),
    Resource("read_file", "产品", ("encoding", "gbk")),
    Resource("call_api", "billing", ("date_format", "%d.%m.%Y")),
    Resource("call_api", "crm", ("date_format", "%Y-%m-%d")),
    Resource("call_api", "报表", ("date_format", "%Y年%m月%d日")),
    Resource("fetch", "geocoder", ("pause_seconds", 1)),
    Resource("fetch", "weather", ("pause_seconds", 0)),
    Resource("query", "warehouse", ("dialect", "oracle")),
    Resource("query", "shop", ("dialect", "ansi")),
    Resource("query", "analytics", ("dialect", "postgres")),
)
FLAKY = 0.02
"""Share of calls that fail although nothing is wrong with them: networks do."""


@dataclass(slots=True)
class Tally:
    """Of one task."""

    steps: int = 0
    retries: int = 0
    failures: int = 0
    undone: int = 0
    tokens: float = 0.0
    rows: int = 0
    turns: int = 0
    advised: int = 0
    wrong: int = 0
    told: list[str] = field(default_factory=list)


class World:
    """Says whether a call works. rolls: the same for both agents, whatever they do."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)  # noqa: S311 - a simulation

    def error(self, resource: Resource, given: Mapping[str, Json]) -> str | None:
        name, value = resource.wants
        if given[name] != value:
            return ERRORS[name]
        return "ConnectionError: connection reset" if self._random.random() < FLAKY else None


def tasks() -> list[list[Resource]]:
    """Each is about a few resources, which it uses again and again."""
    drawn = random.Random(20261201)  # noqa: S311 - a simulation
    return [drawn.choices(drawn.sample(RESOURCES, 4), k=CALLS) for _ in range(TASKS)]


def call_of(resource: Resource, number: int, chosen: Json) -> Arguments:
    name, _ = resource.wants
    match resource.tool:
        case "read_file":
            return {"path": f"data/{resource.place}/part-{number:04}.csv", name: chosen}
        case "call_api" | "fetch":
            return {"service": resource.place, "id": number, name: chosen}
        case _:
            sql = f"SELECT * FROM t{number % 7} LIMIT 5"  # noqa: S608 - nobody runs it
            return {"database": resource.place, "sql": sql, name: chosen}


class Agent:
    """Does one task. session: its memory; None where that is off."""

    def __init__(self, world: World, numbers: Iterator[int], session: AgentSession | None) -> None:
        self._world, self._numbers, self._session = world, numbers, session
        self._learned: dict[Resource, Json] = {}
        self.tally = Tally()

    def run(self, task: list[Resource]) -> Tally:
        tally = self.tally
        tally.turns = 2
        if self._session is not None:
            said = f"Work on {', '.join(sorted({each.place for each in task}))}"
            tally.tokens += estimated_tokens(self._session.start(said))
            self._session.turn("user", said)
        for done, resource in enumerate(task):
            if not self._finish(resource):
                tally.undone += len(task) - done
                break
        if self._session is not None:
            ended = self._session.end("success" if tally.undone == 0 else "failure")
            tally.rows = ended.written
            tally.told += self._session.problems
        return tally

    def _finish(self, resource: Resource) -> bool:
        """Tries until it works; whether it did before the steps ran out."""
        name, _ = resource.wants
        usual = CHOICES[name][0]
        chosen = self._learned.get(resource, usual)
        number = next(self._numbers)
        advised = self._advised(resource, call_of(resource, number, chosen), name)
        waiting = [each for each in CHOICES[name] if each not in {chosen, advised}]
        chosen = chosen if advised is None else advised
        while self.tally.steps < MOST_STEPS:
            given = call_of(resource, number, chosen)
            error = self._world.error(resource, given)
            self.tally.steps += 1
            self.tally.turns += 1
            if self._session is not None:
                self._session.after_tool(resource.tool, given, error=error)
            if error is None:
                self._learned[resource] = chosen
                return True
            self.tally.failures += 1
            self.tally.retries += 1
            if error == ERRORS[name]:
                chosen = waiting.pop(0) if waiting else usual
        return False

    def _advised(self, resource: Resource, given: Arguments, name: str) -> Json:
        """Another value for the parameter that matters; None where memory names none."""
        if self._session is None:
            return None
        advice = self._session.before_tool(resource.tool, given)
        self.tally.tokens += estimated_tokens(advice.text)
        if advice.verdict == "none":
            return None
        self.tally.advised += 1
        value = (advice.worked_with or {}).get(name)
        is_followed = value is not None and value != given[name]
        works = given[name] == resource.wants[1]
        says_other = is_followed and value != resource.wants[1]
        self.tally.wrong += (works and advice.verdict == "avoid") or says_other
        return value if is_followed else None


def run(memory: Hindsight | None) -> list[list[Tally]]:
    """The tallies of each pass."""
    numbers, world = count(1), World(7)
    passes = []
    for number in range(PASSES):
        tallies = []
        for at, task in enumerate(tasks()):
            session = None
            if memory is not None:
                session = AgentSession(
                    memory,
                    session_id=f"pass{number}-task{at}",
                    project="sim",
                    deadline_seconds=PATIENCE_SECONDS,
                )
            tallies.append(Agent(world, numbers, session).run(task))
        passes.append(tallies)
        say(f"pass {number + 1} of {PASSES}, memory {'off' if memory is None else 'on'}")
    return passes


def average(tallies: list[Tally], name: str) -> float:
    return float(sum(getattr(each, name) for each in tallies)) / len(tallies)


NAMES = ("steps", "retries", "failures", "undone", "tokens", "rows", "turns", "advised", "wrong")


WIDTH, HEIGHT, BAR = 720, 260, 44


def picture(off: list[list[Tally]], on: list[list[Tally]]) -> str:
    """Steps and retries of a task, off and on, by passes, as SVG."""
    bars = []
    for group, name in enumerate(("steps", "retries")):
        most = max(average(each, name) for each in (*off, *on))
        bars.append(_label(40 + group * 350, 24, f"{name} a task", "start"))
        for at, (kind, tallies) in enumerate([("off", off[-1]), *(("on", each) for each in on)]):
            value = average(tallies, name)
            x, height = 40 + group * 350 + at * 76, 170 * value / most
            fill = "#8a8f98" if kind == "off" else "#2f7d6d"
            said = "off" if kind == "off" else f"on, pass {at}"
            bars.append(
                f'<rect x="{x}" y="{215 - height:.1f}" width="{BAR}" height="{height:.1f}" '
                f'rx="3" fill="{fill}"/>'
            )
            bars.append(_label(x + BAR / 2, 208 - height, f"{value:.1f}", "middle"))
            bars.append(_label(x + BAR / 2, 234, said, "middle"))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        'font-family="sans-serif" font-size="13"><title>A simulated agent with memory off and on'
        "</title><style>text{fill:#444}@media(prefers-color-scheme:dark){text{fill:#ccc}}</style>"
        f"{''.join(bars)}</svg>\n"
    )


def _label(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}">{text}</text>'


def main() -> int:
    parser = arguments(__doc__ or "", ())
    parser.add_argument("--svg", type=Path, metavar="FILE", help="draw it there")
    given = parser.parse_args()
    logs.configure("error")
    began = time.monotonic()
    off = run(None)
    with (
        tempfile.TemporaryDirectory() as folder,
        Hindsight.open(f"sqlite:///{folder}/memory.db", embedder="hashing:256") as memory,
    ):
        on = run(memory)
        stored = len(memory.list(limit=1000, project="sim").memories)
    report = Report()
    rows: list[dict[str, Cell]] = [
        {"memory": kind, "pass": number + 1, **{name: average(tallies, name) for name in NAMES}}
        for kind, passes in (("off", off), ("on", on))
        for number, tallies in enumerate(passes)
    ]
    report.table("A simulation: averages of 50 tasks", rows)
    last, everything = on[-1], [each for tallies in on for each in tallies]
    advised = sum(each.advised for each in everything)
    wrong = sum(each.wrong for each in everything) / max(1, advised)
    saved = 1 - sum(t.rows for t in everything) / sum(t.turns for t in everything)
    problems = sorted({problem for each in everything for problem in each.told})
    say(f"{stored} current memories; {time.monotonic() - began:.0f} s; problems: {problems}")
    report.goals += [
        Goal("steps, memory on, last pass", average(last, "steps"), most=13),
        Goal("retries, memory on, last pass", average(last, "retries"), most=1),
        Goal("wrong advice, share", wrong, most=0.02),
        Goal("rows saved against writing every turn", saved, least=0.7),
    ]
    if given.svg is not None:
        given.svg.write_text(picture(off, on), "utf-8")
    return report.finish(given.json)


if __name__ == "__main__":
    sys.exit(main())
