"""Results for people. A new kind of result is a function here and a row of ``VIEWS``."""

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from io import TextIOWrapper
from typing import Any
from zoneinfo import ZoneInfo

from pydantic import BaseModel
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from hindsight_memory.interfaces.agent_schemas import (
    AdviseOut,
    ContextOut,
    RetrospectOut,
    WorkingMemoryOut,
)
from hindsight_memory.interfaces.cli.wording import age, clock, cut, safe
from hindsight_memory.interfaces.cli.working_view import working_shown
from hindsight_memory.interfaces.promises import JobOut, JobsOut
from hindsight_memory.interfaces.schemas import (
    CandidateOut,
    FeedbackOut,
    ForgetOut,
    HistoryOut,
    HitOut,
    ListOut,
    MemoryOut,
    SearchOut,
    WriteOut,
)
from hindsight_memory.interfaces.upkeep import MaintainOut
from hindsight_memory.interfaces.verification import VerifyOut

STYLES: Mapping[str, str] = {
    "stored": "green",
    "merged": "green",
    "superseded": "cyan",
    "disputed": "magenta",
    "quarantined": "yellow",
    "refused": "red",
    "skipped": "yellow",
    "queued": "yellow",
    "running": "cyan",
    "done": "green",
    "dead": "red",
    "current": "green",
    "unverified": "yellow",
    "stale": "dim",
    "weak": "dim",
    "confirmed": "green",
    "tentative": "yellow",
    "none": "dim",
    "caution": "yellow",
    "prefer": "cyan",
    "avoid": "red",
    "deprecated": "dim",
    "forgotten": "yellow",
    "purged": "red",
    "preview": "cyan",
    "checked": "cyan",
    "formed": "green",
    "strengthened": "green",
    "weakened": "magenta",
    "pending": "dim",
    "left": "yellow",
    "link": "cyan",
    "conclusion": "cyan",
    "rejected": "red",
    "restored": "green",
    "broken": "bold red",
    "ok": "green",
    "warning": "yellow",
    "failed": "red",
}
"""Of the words that say how something stands."""

BAR_CELLS = 20
"""Length of the bar of a signal that makes up the whole score."""


@dataclass(frozen=True, slots=True)
class Glance:
    """When and where somebody looks."""

    now: datetime
    zone: tzinfo


View = Callable[[Any, Glance], RenderableType]


def show(result: BaseModel, time_zone: str, view: View | None = None) -> None:
    """On stdout; coloured for a terminal, and as JSON where no view knows the result."""
    glance = Glance(datetime.now(UTC), ZoneInfo(time_zone))
    view = view or VIEWS.get(type(result), _json)
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a locale may not know all of Unicode
    _Stdout(highlight=False, markup=False, emoji=False).print(view(result, glance), crop=False)


class _Stdout(Console):
    def on_broken_pipe(self) -> None:
        raise BrokenPipeError  # told like every other failure; rich would end the process here


def written(result: WriteOut, glance: Glance) -> RenderableType:
    """What happened and why, then the memory and what is near it."""
    lines: list[RenderableType] = [_said(result.outcome, result.reason)]
    if result.write_id is not None:
        lines.append(Text(f"write {result.write_id}", "dim"))
    if result.memory is not None:
        lines.append(_brief(result.memory, glance))
    if result.related:
        table = _table("similarity", "related memory")
        for near in result.related:
            known = "" if near.similarity is None else f"{near.similarity:.2f}"
            table.add_row(known, _with_id(near.content, near.id))
        lines.append(table)
    return Group(*lines)


def searched(result: SearchOut, glance: Glance) -> RenderableType:
    """Best first, with the notes of the search below."""
    lines: list[RenderableType] = []
    if result.hits:
        table = _table("#", "score", "memory")
        for rank, hit in enumerate(result.hits, start=1):
            table.add_row(str(rank), f"{hit.score:.3f}", _hit(hit, glance))
        lines.append(table)
    if result.abstained:
        lines.append(Text("Nothing that was found really answers this.", "yellow"))
    lines += [Text(safe(note), "dim") for note in result.notes]
    if result.suppressed:
        told = f"{result.suppressed} superseded left out; --include superseded shows them"
        lines.append(Text(told, "dim"))
    lines.append(Text(f"recall {result.recall_id}", "dim"))
    return Group(*lines)


def _hit(hit: HitOut, glance: Glance) -> RenderableType:
    lines: list[RenderableType] = [
        Text(cut(hit.passage or hit.memory.content)),
        _facts(hit.verdict, hit.memory, glance),
    ]
    others = [source.memory_id for source in hit.sources if source.memory_id != hit.memory.id]
    lines += [Text(f"also {memory_id}", "dim") for memory_id in others]
    if any("." in name for name in hit.parts):  # only when it was asked to explain
        lines.append(_parts(hit.parts))
    return Group(*lines)


def _parts(parts: Mapping[str, float]) -> Table:
    table = Table.grid(padding=(0, 1))
    longest = max(1.0, *parts.values())
    for name, value in parts.items():
        cells = round(BAR_CELLS * max(0.0, value) / longest)
        table.add_row(Text(name, "dim"), Text(f"{value:.3f}"), Text("█" * cells, "blue"))
    return table


def listed(result: ListOut, glance: Glance) -> RenderableType:
    if not result.memories:
        return Text("No memories.")
    table = _table("age", "memory")
    for memory in result.memories:
        table.add_row(
            age(memory.created_at, glance.now),
            Group(Text(cut(memory.content)), _facts(memory.status, memory, glance)),
        )
    more = [Text(f"more with --before {result.next}", "dim")] if result.next else []
    return Group(table, *more)


def memory_shown(memory: MemoryOut, glance: Glance) -> RenderableType:
    """The whole content, then every field that says something."""
    table = Table.grid(padding=(0, 2))
    for name, value in memory:
        if name != "content" and value not in (None, "", [], {}):
            table.add_row(Text(name, "dim"), _value(value, glance))
    return Group(Text(safe(memory.content), "bold"), Text(), table)


def history_shown(result: HistoryOut, glance: Glance) -> RenderableType:
    """Oldest first; each change with what it replaced."""
    table = _table("version", "when", "change")
    for revision in result.revisions:
        said = f"{revision.operation} by {revision.actor}"
        why = f": {revision.reason}" if revision.reason else ""
        table.add_row(
            str(revision.version),
            clock(revision.at, glance.zone),
            Group(Text(safe(said + why)), *_replaced(revision.before)),
        )
    return Group(_brief(result.memory, glance), Text(), table)


def _replaced(before: Mapping[str, Any]) -> Iterator[Text]:
    for name, value in before.items():
        yield Text(f"{name} was {cut(_compact(value))}", "dim")


def forgotten(result: ForgetOut, glance: Glance) -> RenderableType:
    return Group(
        _said(result.outcome, result.memory_id or ""),
        *_candidates(result.candidates),
        *(Text(safe(note), "dim") for note in result.notes),
    )


def verified(result: VerifyOut, glance: Glance) -> RenderableType:
    """What was done, how the memory stands and why; then each check."""
    lines: list[RenderableType] = [_said(result.outcome, result.memory_id or "")]
    if result.verdict is not None:
        lines.append(Text(result.verdict, STYLES.get(result.verdict, "")))
    lines += [Text(safe(reason), "dim") for reason in result.reasons]
    if result.checks:
        table = _table("check", "state", "detail")
        for check in result.checks:
            state = Text(check.state, STYLES.get(check.state, ""))
            table.add_row(check.name, state, Text(safe(check.detail)))
        lines.append(table)
    return Group(*lines, *_candidates(result.candidates))


def retrospected(result: RetrospectOut, glance: Glance) -> RenderableType:
    """What became of each pattern, and why."""
    lines: list[RenderableType] = []
    for lesson in result.lessons:
        lines.append(_said(lesson.outcome, cut(lesson.content)))
        if lesson.memory is not None:
            lines.append(_facts(lesson.memory.status, lesson.memory, glance))
        lines.append(Text(safe(lesson.reason), "dim"))
    for proposal in result.proposals:
        lines.append(_said(proposal.kind, cut(proposal.content)))
        lines.append(Text(safe(proposal.reason), "dim"))
    return Group(*lines, *(Text(safe(note), "dim") for note in result.notes))


def jobs_listed(result: JobsOut, glance: Glance) -> RenderableType:
    if not result.jobs:
        return Text("No jobs.")
    table = _table("age", "job")
    for job in result.jobs:
        table.add_row(age(job.created_at, glance.now), job_shown(job, glance))
    more = [Text(f"more with --before {result.next}", "dim")] if result.next else []
    return Group(table, *more)


def job_shown(job: JobOut, _glance: Glance) -> RenderableType:
    lines = [_said(job.state, f"{job.kind}, begun {job.attempts} times")]
    lines += [Text(cut(each), "dim") for each in (job.content, job.reason, job.id) if each]
    return Group(*lines)


def in_context(result: ContextOut, _glance: Glance) -> RenderableType:
    """The block as a model reads it."""
    notes = (Text(safe(note), "dim") for note in result.notes)
    return Group(_as_it_is(result.context or "nothing worth saying"), *notes)


def advised(result: AdviseOut, _glance: Glance) -> RenderableType:
    counted = f"{result.failures} failed, {result.successes} worked"
    lines = [_said(result.verdict, counted)]
    if result.worked_with is not None:
        lines.append(
            Text(safe(f"worked with {json.dumps(result.worked_with, ensure_ascii=False)}"))
        )
    return Group(*lines, *([_as_it_is(result.advice)] if result.advice else []))


def _as_it_is(block: str) -> Text:
    """With the lines that it has, however wide the terminal is: it is for a prompt."""
    return Text(safe(block), no_wrap=True, overflow="ignore")


def _candidates(candidates: Sequence[CandidateOut]) -> list[RenderableType]:
    if not candidates:
        return []
    table = _table("memory")
    for candidate in candidates:
        table.add_row(_with_id(candidate.content, candidate.id))
    return [table]


def maintained(result: MaintainOut, _glance: Glance) -> RenderableType:
    table = _table("what", "memory", "why")
    for step in result.steps:
        others = len(step.memory_ids) - 1
        memory = Text(cut(step.content))
        memory.append(f"\n{step.memory_ids[0]}", "dim")
        memory.append(f" and {others} more" if others else "", "dim")
        why = Text(f"{step.rule}: {step.actual}")
        why.append(f"\nrequired: {step.required}", "dim")
        table.add_row(Text(step.action, "cyan"), memory, why)
    return Group(*([table] if result.steps else []), Text(_summed_up(result)))


def _summed_up(result: MaintainOut) -> str:
    done = ", ".join(f"{count} {action}" for action, count in result.counts.items())
    would = "; a dry run: nothing was changed" if result.dry_run else ""
    left = f"; {result.overtaken} left, they changed meanwhile" if result.overtaken else ""
    return f"{result.looked_at} memories looked at: {done or 'nothing to do'}{would}{left}"


def thanked(result: FeedbackOut, glance: Glance) -> RenderableType:
    return Text("\n".join([f"{len(result.used_ids)} used", *result.used_ids]))


def _json(result: BaseModel, _glance: Glance) -> RenderableType:
    return Text(safe(result.model_dump_json(indent=2)))


VIEWS: Mapping[type[BaseModel], View] = {
    WriteOut: written,
    SearchOut: searched,
    ListOut: listed,
    JobsOut: jobs_listed,
    JobOut: job_shown,
    MemoryOut: memory_shown,
    HistoryOut: history_shown,
    ForgetOut: forgotten,
    VerifyOut: verified,
    ContextOut: in_context,
    AdviseOut: advised,
    WorkingMemoryOut: working_shown,
    RetrospectOut: retrospected,
    FeedbackOut: thanked,
    MaintainOut: maintained,
}
"""By what an operation gives."""


def _table(*columns: str) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for column in columns:
        table.add_column(column, overflow="fold", no_wrap=column in _SHORT)
    return table


_SHORT = frozenset({"#", "score", "similarity", "age", "version", "when", "check", "state"})


def _said(outcome: str, why: str) -> Text:
    return Text.assemble((outcome, STYLES.get(outcome, "")), " ", safe(why))


def _brief(memory: MemoryOut, glance: Glance) -> RenderableType:
    return Group(Text(cut(memory.content)), _facts(memory.status, memory, glance))


def _facts(standing: str, memory: MemoryOut, glance: Glance) -> Text:
    """On one line, unless the memory has many tags."""
    happened = age(memory.valid_from or memory.created_at, glance.now)
    project = [f"[{memory.project}]"] if memory.project else []
    tags = [f"#{tag}" for tag in memory.tags]
    told = " · ".join(["", memory.memory_type, happened, memory.id, *project, *tags])
    return Text.assemble((standing, STYLES.get(standing, "")), (safe(told), "dim"))


def _with_id(content: str, memory_id: str) -> RenderableType:
    return Group(Text(cut(content)), Text(memory_id, "dim"))


def _value(value: Any, glance: Glance) -> Text:
    if isinstance(value, datetime):
        return Text(clock(value, glance.zone))
    if isinstance(value, list):
        return Text(", ".join(safe(str(each)) for each in value))
    if isinstance(value, Mapping):
        return Text(safe(_compact(value)))
    return Text(safe(str(value)))


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
