"""``calibrate``: what the similarities of an embedder mean, measured on texts of known kinds."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, fields

import click
from pydantic import BaseModel, Field
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from hindsight_memory.core.calibration import UNKNOWN, Calibration, Scale, calibration
from hindsight_memory.core.separation import QUESTIONS, scale_of, separation, spread
from hindsight_memory.engine.calibrating import ASKED, Measured, measure
from hindsight_memory.errors import InvalidInput
from hindsight_memory.interfaces.cli.output import show
from hindsight_memory.interfaces.cli.shell import Shell, pass_shell, setting, shared
from hindsight_memory.interfaces.cli.views import Glance
from hindsight_memory.settings import PREFIX

WRITINGS: Mapping[str, str] = {"other": "English", "cjk": "Chinese"}
"""The group of pairs by which each scale is measured."""

FAR = 0.05
"""From an anchor in use: more than two samples of texts differ in."""


class PairsOut(BaseModel):
    languages: str
    kind: str
    pairs: int
    low: float = Field(description="The tenth percentile of their cosines.")
    median: float
    high: float = Field(description="The ninetieth.")
    similarity: float = Field(description="The median, on the scale in use; 0 to 1.")


class ToldApartOut(BaseModel):
    languages: str
    nearer: str
    farther: str
    share: float = Field(description="How often the nearer is: 1 always, 0.5 by chance (AUC).")


class AnchorOut(BaseModel):
    writing: str
    anchor: str
    measured: float
    in_use: float


class CalibrateOut(BaseModel):
    embedder: str = Field(description="Its fingerprint.")
    dimensions: int
    passage_ms: float = Field(description="To embed one text, among others.")
    query_ms: float = Field(description="To embed one query.")
    scale: str = Field(description="Where the scale in use comes from: table, settings, unknown.")
    pairs: list[PairsOut]
    told_apart: list[ToldApartOut]
    anchors: list[AnchorOut]
    setting: str = Field(description="The line that puts what was measured into use.")


@click.command(
    params=[
        setting("embedder", "--embedder", metavar="NAME", help="Default: that of the settings."),
        *shared("as_json"),
    ]
)
@pass_shell
def calibrate(shell: Shell) -> None:
    """Measure what the similarities of an embedder mean, in English and Chinese.

    On 64 pairs of texts in each language, and across them: other words for the same, another
    value, related, unrelated. Prints what the known scale is, and what it would be.
    """
    shell.start_logs()
    from hindsight_memory import wiring

    embedder = wiring.open_embedder(shell.settings)
    if embedder is None:
        raise InvalidInput(f"nothing to measure: {wiring.NO_EMBEDDER[shell.settings.embedder]}")
    show(shell, _out(measure(embedder), wiring.scales(shell.settings)), measured_shown)


def _out(measured: Measured, own: Calibration | None) -> CalibrateOut:
    used = own or calibration(measured.fingerprint)
    scales = {writing: scale_of(measured.cosines[group]) for writing, group in WRITINGS.items()}
    return CalibrateOut(
        embedder=measured.fingerprint,
        dimensions=measured.dimensions,
        passage_ms=round(measured.passage_seconds * 1_000, 2),
        query_ms=round(measured.query_seconds * 1_000, 2),
        scale="settings" if own else "unknown" if used is UNKNOWN else "table",
        pairs=list(_pairs(measured, used)),
        told_apart=list(_told_apart(measured)),
        anchors=list(_anchors(scales, used)),
        setting=f"{PREFIX}EMBEDDER_SCALES='{_json(scales)}'",
    )


def _pairs(measured: Measured, used: Calibration) -> Iterator[PairsOut]:
    for languages, cosines in measured.cosines.items():
        for kind, values in cosines.items():
            found = spread(values)
            example = measured.pairs[languages][kind][0]
            scaled = used.answer if kind in ASKED else used.similarity
            yield PairsOut(
                languages=languages,
                kind=kind.value,
                pairs=found.pairs,
                low=round(found.low, 3),
                median=round(found.middle, 3),
                high=round(found.high, 3),
                similarity=round(scaled(found.middle, *example), 2),
            )


def _told_apart(measured: Measured) -> Iterator[ToldApartOut]:
    for languages, cosines in measured.cosines.items():
        for nearer, farther in QUESTIONS:
            yield ToldApartOut(
                languages=languages,
                nearer=nearer.value,
                farther=farther.value,
                share=round(separation(cosines[nearer], cosines[farther]), 3),
            )


def _anchors(scales: Mapping[str, Scale], used: Calibration) -> Iterator[AnchorOut]:
    for writing, scale in scales.items():
        in_use: Scale = getattr(used, writing)
        for anchor in (each.name for each in fields(Scale)):
            yield AnchorOut(
                writing=writing,
                anchor=anchor,
                measured=getattr(scale, anchor),
                in_use=getattr(in_use, anchor),
            )


def _json(scales: Mapping[str, Scale]) -> str:
    return json.dumps({writing: asdict(scale) for writing, scale in scales.items()})


SOURCES: Mapping[str, str] = {
    "table": "the scale in use is the known one of this model",
    "settings": "the scale in use is that of the settings",
    "unknown": "nobody measured this model: by the cautious scale that is in use, little is alike",
}


def measured_shown(result: CalibrateOut, _glance: Glance) -> RenderableType:
    title = Text(result.embedder, "bold")
    title.append(
        f"  {result.dimensions} dimensions, {result.passage_ms:g} ms a text, "
        f"{result.query_ms:g} ms a query",
        "not bold",
    )
    return Group(
        title,
        Text(),
        _pairs_shown(result),
        Text(),
        _told_apart_shown(result),
        Text(),
        _anchors_shown(result),
        Text(),
        Text(SOURCES[result.scale], "dim"),
        *_advice(result),
    )


def _pairs_shown(result: CalibrateOut) -> Table:
    table = _table("pairs", "", "number", "10 %", "median", "90 %", "similarity", texts=2)
    for each in result.pairs:
        cosines = (f"{value:.3f}" for value in (each.low, each.median, each.high))
        row = (each.languages, each.kind, str(each.pairs), *cosines, f"{each.similarity:.2f}")
        table.add_row(*row)
    return table


def _told_apart_shown(result: CalibrateOut) -> Table:
    table = _table("nearer", "than", *_languages(result), texts=2)
    shares = {(each.languages, each.nearer, each.farther): each.share for each in result.told_apart}
    for nearer, farther in QUESTIONS:
        found = (f"{shares[name, nearer, farther]:.2f}" for name in _languages(result))
        table.add_row(nearer.value, farther.value, *found)
    return table


def _languages(result: CalibrateOut) -> list[str]:
    return list(dict.fromkeys(each.languages for each in result.pairs))


def _anchors_shown(result: CalibrateOut) -> Table:
    table = _table("writing", "anchor", "measured", "in use", texts=2)
    for each in result.anchors:
        style = "yellow" if abs(each.measured - each.in_use) > FAR else ""
        in_use = Text(f"{each.in_use:.3f}", style)
        table.add_row(each.writing, each.anchor, f"{each.measured:.3f}", in_use)
    return table


def _advice(result: CalibrateOut) -> list[RenderableType]:
    if all(abs(each.measured - each.in_use) <= FAR for each in result.anchors):
        return []
    words = Text("to use what was measured:", "dim")
    return [words, Text(result.setting, no_wrap=True, overflow="ignore")]


def _table(*columns: str, texts: int) -> Table:
    """texts: how many of the columns hold words; the others hold numbers."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for number, column in enumerate(columns):
        table.add_column(column, justify="left" if number < texts else "right")
    return table
