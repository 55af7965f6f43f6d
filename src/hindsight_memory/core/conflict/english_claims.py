"""Makes claims of English clauses: tense, polarity and circumstances, with the value."""

from hindsight_memory.core.conflict import english_rows as rows
from hindsight_memory.core.conflict.attributes import Arity
from hindsight_memory.core.conflict.english_clauses import Clause
from hindsight_memory.core.conflict.english_phrases import Owned, charge, scene_of
from hindsight_memory.core.conflict.english_table import NO_PREDICATE, Predicate
from hindsight_memory.core.conflict.kinds import GENERIC, kind_of
from hindsight_memory.core.conflict.model import Claim, Polarity, Slot, Tense


def claim(
    clause: Clause,
    attribute: str,
    value: str,
    *,
    single: bool,
    row: Predicate = NO_PREDICATE,
    subject: str | None = None,
    scene: frozenset[str] = frozenset(),
    named: bool = False,
) -> Claim:
    """subject: None for the one that the clause is about. named: whatever the value looks like."""
    polarity = _polarity(clause.polarity, row.polarity)
    tense = clause.tense
    if tense is Tense.PAST and (row.lasting or row.replaces or polarity is Polarity.ENDED):
        tense = Tense.PRESENT
    if value in GENERIC and polarity is not Polarity.HOLDS:
        value = ""
    limits = scene | scene_of(clause.scene)
    who = clause.about if subject is None else subject
    return Claim(
        slot=Slot(
            subject=charge(who) if attribute == "owner" else who,
            attribute=attribute,
            value=value,
            polarity=polarity,
            is_single_valued=single and not clause.is_added,
        ),
        tense=tense,
        replaces=(clause.is_now or row.replaces) and not clause.is_added,
        is_named=named or is_named(value, clause.names),
        scene=_recurrent(limits) if attribute in rows.WITHOUT_SCENE else limits,
        period=clause.period,
        clause=clause.number,
        words=clause.words,
    )


def _recurrent(limits: frozenset[str]) -> frozenset[str]:
    """All of a circumstance of which a word says that it comes and goes; else none of it."""
    return limits if limits & rows.RECURRENT else frozenset()


def _polarity(said: Polarity, of_row: Polarity) -> Polarity:
    """Who no longer hates it, likes it."""
    if Polarity.HOLDS in {said, of_row}:
        return of_row if said is Polarity.HOLDS else said
    return Polarity.HOLDS


def is_named(value: str, names: frozenset[str]) -> bool:
    return any(word in names or any(map(str.isdigit, word)) for word in value.split())


def owned_claim(
    clause: Clause,
    owned: Owned,
    value: str,
    row: Predicate = NO_PREDICATE,
    *,
    scene: frozenset[str] = frozenset(),
) -> Claim:
    """The value of an attribute that a noun phrase names: the one database of the shop."""
    kind = kind_of(value)
    if kind and (kind[0] == owned.row.name or owned.name.endswith(kind[0])):
        value = kind[1]
    single = owned.row.arity is not Arity.MANY
    return claim(
        clause, owned.name, value, single=single, row=row, subject=owned.subject, scene=scene
    )
