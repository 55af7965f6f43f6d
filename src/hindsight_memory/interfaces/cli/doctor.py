"""``doctor``: what is well, and what to do about the rest. A new check is a row of ``CHECKS``."""

import platform
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal

import apsw
import click
from pydantic import BaseModel, Field
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from hindsight_memory.core.jobs import JobState
from hindsight_memory.core.model import Caller
from hindsight_memory.core.ports import Metering, Walled
from hindsight_memory.core.verification import unsettled
from hindsight_memory.engine import enriching
from hindsight_memory.engine.memories import Memories
from hindsight_memory.errors import HindsightError
from hindsight_memory.interfaces.cli.output import show
from hindsight_memory.interfaces.cli.progress import progress_bar
from hindsight_memory.interfaces.cli.shell import Shell, shared
from hindsight_memory.interfaces.cli.views import Glance
from hindsight_memory.interfaces.cli.wording import safe
from hindsight_memory.settings import PREFIX, Settings

MOST_PROBLEMS = 20
"""Shown of one check: one cause often breaks every row."""

PASSWORD = re.compile("(?<=://)([^/@]*:)[^/@]+(?=@)")

State = Literal["ok", "note", "problem"]
Told = Iterator[tuple[State, str]]


class FindingOut(BaseModel):
    check: str
    state: State
    told: str


class DoctorOut(BaseModel):
    healthy: bool = Field(description="Whether no check found a problem.")
    findings: list[FindingOut]
    settings: dict[str, str] = Field(description="In effect, by variable; passwords are masked.")


@click.command(
    params=[
        click.Option(
            ["--repair"], is_flag=True, help="First make every index anew from the memories."
        ),
        click.Option(
            ["--head"], metavar="HASH", help="An earlier head that the audit log must still hold."
        ),
        *shared("store_url", "as_json"),
    ]
)
@click.pass_context
def doctor(context: click.Context, *, repair: bool, head: str | None) -> None:
    """Check the store, the embedder and the settings; exits with 1 when something is wrong."""
    shell = Shell.of(context)
    findings = [
        FindingOut(check=check, state=state, told=_masked(told))
        for check, state, told in _findings(shell, repair=repair, head=head)
    ]
    healthy = all(finding.state != "problem" for finding in findings)
    settings = _in_effect(shell.settings)
    result = DoctorOut(healthy=healthy, findings=findings, settings=settings)
    show(shell, result, checklist)
    context.exit(0 if healthy else 1)


def _findings(shell: Shell, *, repair: bool, head: str | None) -> Iterator[tuple[str, State, str]]:
    yield (
        "versions",
        "ok",
        f"Python {platform.python_version()}, SQLite {apsw.sqlite_lib_version()}",
    )
    url = shell.settings.store_url
    try:
        with shell.memories() as memories:
            yield "store", "ok", f"{url} opens, and its format is known"
            if repair:
                for told in _repaired(memories):
                    yield "repair", "ok", told
            if head is not None:
                yield "audit", *_held(memories, head)
            for name, check in CHECKS.items():
                for state, told in check(memories):
                    yield name, state, told
    except HindsightError as error:
        yield "store", "problem", f"{url}: {error}"


def _repaired(memories: Memories) -> list[str]:
    with progress_bar("repairing") as progress:
        return memories.parts.store.repair(progress)


def _first(found: Sequence[str], state: State) -> Told:
    for each in found[:MOST_PROBLEMS]:
        yield state, each
    if len(found) > MOST_PROBLEMS:
        yield state, f"and {len(found) - MOST_PROBLEMS} more"


def _integrity(memories: Memories) -> Told:
    problems = memories.parts.store.problems()
    yield from _first(problems, "problem")
    if problems:
        yield "note", "`hindsight-memory doctor --repair` makes every index anew from the memories"
    if not problems:
        yield "ok", "rows, indexes, version histories and audit log agree"


def _tenants(memories: Memories) -> Told:
    """Of a database that many may share; a file belongs to who has it."""
    store = memories.parts.store
    if isinstance(store, Walled):
        yield store.walls()


def _audit(memories: Memories) -> Told:
    heads = memories.parts.store.audit_heads()
    for head in heads:
        yield "ok", f"{head.entries} entries of {head.tenant!r}; the head is {head.hash}"
    if not heads:
        yield "ok", "it has no entry yet"


def _held(memories: Memories, head: str) -> tuple[State, str]:
    if memories.parts.store.has_audit_entry(head):
        return "ok", f"it goes on from the head {head!r}"
    return "problem", f"the head {head!r} is not in it: entries were cut off, or made anew"


def _beliefs(memories: Memories) -> Told:
    """Nobody's fault, as after an import: worth a look by somebody who knows."""
    store = memories.parts.store
    notes = [f"the evidence of {each!r} is not all there" for each in store.unresolved()]
    notes += dict.fromkeys(
        f"{one.id!r} and {other.memory.id!r} do not go together: {other.reason}"
        for group in store.rivals()
        for one, other in unsettled(group)
    )
    yield from _first(notes, "note")
    if not notes:
        yield "ok", "no current memories are known to contradict each other"


def _embedder(memories: Memories) -> Told:
    """Asked for a vector, because only then does a model load, or a server answer."""
    meaning = memories.parts.meaning
    if meaning.embedder is None:
        yield "note", f"search goes by words only: {meaning.why_absent}"
        return
    try:
        meaning.embedder.query("doctor")
    except HindsightError as error:
        yield "problem", str(error)
    else:
        yield "ok", f"{meaning.embedder.fingerprint!r} answers"


def _model(memories: Memories) -> Told:
    """Not asked, because an answer may cost money; what waits for one is counted."""
    model = memories.parts.model
    if model is None:
        return
    budgets = model.spending() if isinstance(model, Metering) else {}
    said = (f"{name} {each.budget}" for name, each in budgets.items() if each.budget is not None)
    if told := ", ".join(said):
        yield "ok", f"tokens a day: {told}; /metrics of a server tells what it spent"
    left = enriching.waiting(memories.parts, Caller().tenant)
    if left:
        yield "note", f"{left} sessions wait for extraction by the model; `serve` asks nightly"
    else:
        yield "ok", "no session waits for extraction"


def _vectors(memories: Memories) -> Told:
    parts = memories.parts
    if parts.meaning.notice:
        yield "problem", parts.meaning.notice
    elif waiting := parts.store.unembedded_count():
        yield (
            "note",
            f"{waiting} memories wait for theirs; `hindsight-memory reembed` makes them now",
        )
        told = (
            "could not be embedded: it is found by words; tried again after a day, by `reembed` now"
        )
        yield from _first([f"{each!r} {told}" for each in parts.store.unembeddable()], "note")
    elif parts.meaning.embedder is not None:
        yield "ok", "every memory has its own"


def _jobs(memories: Memories) -> Told:
    counts = Counter[JobState]()
    for (_kind, state), count in memories.parts.store.jobs.counts().items():
        counts[state] += count
    if dead := counts[JobState.DEAD]:
        yield "note", f"{dead} were given up; `hindsight-memory jobs --state dead` tells why"
    if waiting := counts[JobState.QUEUED] + counts[JobState.RUNNING]:
        yield "note", f"{waiting} wait or run; `hindsight-memory worker --once` does them now"
    if not dead and not waiting:
        yield "ok", "nothing waits, and nothing was given up"


def _companions(memories: Memories) -> Told:
    """Those that are set: without one work goes on, but somebody wants it."""
    for name, companion in memories.parts.companions.items():
        try:
            yield "ok", companion.look()
        except HindsightError as error:
            yield "problem", f"work goes on without {name}: {error}"


def _index(memories: Memories) -> Told:
    yield from _first(memories.parts.store.behind(), "note")


CHECKS: Mapping[str, Callable[[Memories], Told]] = {
    "integrity": _integrity,
    "tenants": _tenants,
    "audit": _audit,
    "beliefs": _beliefs,
    "embedder": _embedder,
    "vectors": _vectors,
    "model": _model,
    "jobs": _jobs,
    "index": _index,
    "companions": _companions,
}
"""Of a store that opened."""


def _in_effect(settings: Settings) -> dict[str, str]:
    return {PREFIX + name.upper(): _masked(str(value)) for name, value in settings}


def _masked(text: str) -> str:
    return PASSWORD.sub(r"\1***", text)


MARKS: Mapping[State, tuple[str, str]] = {
    "ok": ("ok", "green"),
    "note": ("note", "yellow"),
    "problem": ("PROBLEM", "bold red"),
}


def checklist(result: DoctorOut, _glance: Glance) -> RenderableType:
    findings = Table.grid(padding=(0, 2))
    for finding in result.findings:
        findings.add_row(Text(*MARKS[finding.state]), finding.check, Text(safe(finding.told)))
    settings = Table.grid(padding=(0, 2))
    settings.add_column(no_wrap=True)  # half a name sets nothing
    settings.add_column()
    for name, value in result.settings.items():
        settings.add_row(Text(name, "dim"), Text(safe(value)))
    return Group(findings, Text(), settings)
