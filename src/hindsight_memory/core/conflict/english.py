"""What an English text claims: predicates are in ``english_table``, nouns in ``attributes``."""

from collections.abc import Iterator
from dataclasses import replace

from hindsight_memory.core.conflict import english_rows as rows
from hindsight_memory.core.conflict import english_words as w
from hindsight_memory.core.conflict.attributes import ANY, ANYBODY
from hindsight_memory.core.conflict.english_claims import claim, is_named, owned_claim
from hindsight_memory.core.conflict.english_clauses import Clause, clauses
from hindsight_memory.core.conflict.english_phrases import (
    Owned,
    about,
    named_words,
    phrase,
    scenes,
    subject_of,
    value,
)
from hindsight_memory.core.conflict.english_properties import is_property
from hindsight_memory.core.conflict.english_readings import (
    READINGS,
    before,
    ended,
    generic,
    role_of,
)
from hindsight_memory.core.conflict.english_table import (
    KEY_WORDS,
    NO_PREDICATE,
    PREDICATES,
    Predicate,
)
from hindsight_memory.core.conflict.kinds import STATES, kind_of
from hindsight_memory.core.conflict.model import UNKNOWN, Claim, Polarity
from hindsight_memory.core.text import fold


def claims(text: str) -> Iterator[Claim]:
    """In the order of the text."""
    names = named_words(text)
    last = ""
    for clause in clauses(text):
        is_order = not clause.subject and clause.words.split()[0] in w.ORDERS and not last
        nobody = "" if is_order or clause.subject else "user"
        clause.about = subject_of(clause.subject, last) or nobody
        if clause.about == UNKNOWN:
            continue
        clause.names = names
        for told in _not_but(clause):
            yield from _read(told, last)
        for name in w.DYING.findall(text):
            yield claim(clause, ANY, fold(name), single=False, row=_OVER, subject=ANYBODY)
        for animal in w.LOST.findall(clause.words):
            if (kind_of(animal) or ("",))[0] == "pet":
                yield claim(clause, "pet", animal, single=False, row=_OVER)
        last = clause.about or last


_OVER = Predicate(polarity=Polarity.ENDED)
_LASTING = Predicate(lasting=True)


def _not_but(clause: Clause) -> Iterator[Clause]:
    """Two things are said by "was not the cache but the pool"."""
    if clause.polarity is not Polarity.DENIED or "but" not in clause.rest:
        yield clause
        return
    at = clause.rest.index("but")
    yield replace(clause, rest=clause.rest[:at])
    yield replace(clause, rest=clause.rest[at + 1 :], polarity=Polarity.HOLDS)


def _read(clause: Clause, last: str) -> Iterator[Claim]:
    found = _predicate(clause)
    owned = about(clause.subject, last)
    if clause.verb in w.SAYING and clause.rest[:1] and clause.rest[0] in w.PRONOUNS:
        return  # "and has stated this firmly" adds nothing
    if owned and owned.name in _ENDS and clause.verb in _ENDS[owned.name]:
        row = Predicate(replaces=True)
        yield claim(
            clause, "marital status", "divorced", single=True, row=row, subject=owned.subject
        )
    elif owned and _is_fading(clause, is_other=found is not None):
        yield from _faded(clause, owned)
    elif clause.verb in rows.PLACING and (placed := _transferred(clause)):
        yield from placed
    elif found:
        row, rest = found
        yield from READINGS[row.form](clause, row, rest)
    elif clause.is_be and not (clause.verb and clause.rest):
        yield from _copula(clause, owned)
    elif transferred := _transferred(clause):
        yield from transferred
    elif clause.verb or clause.is_have:
        yield from generic(clause)
    yield from _instead(clause)


_ENDS = {
    "divorce": frozenset({"finalize", "finalise", "complete", "grant"}),
    "marriage": frozenset({"end", "annul", "dissolve"}),
}
"""Events told as a noun, with the verbs by which they are done."""


def _is_fading(clause: Clause, *, is_other: bool) -> bool:
    """is_other: a row of the table reads it; but "went into remission" is no place."""
    if clause.rest[-1:] == ["remission"]:
        return clause.verb in {"go", "be", ""}
    is_short = not clause.rest or clause.rest[0] in w.PARTICLES
    return clause.verb in w.FADING_VERBS and is_short and not is_other


def _predicate(clause: Clause) -> tuple[Predicate, list[str]] | None:
    """The row of the longest key, and the words after it."""
    head = ["be"] if clause.is_be else ["have"] if clause.is_have else []
    head += ["can"] if "can" in clause.adverbs else []
    head += [clause.verb] if clause.verb else []
    rest = _from_to([word for word in clause.rest if word not in w.ADVERBS])
    places = [i for i, word in enumerate(rest) if word not in w.ARTICLES][:KEY_WORDS]
    for length in range(len(places), -1, -1):
        key = " ".join([*head, *(rest[i] for i in places[:length])])
        row = PREDICATES.get(key) or PREDICATES.get(key.removeprefix("can "))
        if row:
            return row, rest[places[length - 1] + 1 if length else 0 :]
    return None


def _from_to(rest: list[str]) -> list[str]:
    """The same for "from Rome to Oslo" as for "to Oslo from Rome"."""
    if rest[:1] != ["from"] or "to" not in rest:
        return rest
    at = rest.index("to")
    if rest[at - 1] == "due" or rest[at + 1 : at + 2] == [] or rest[at + 1] in w.LEMMAS:
        return rest
    return [*rest[at:], *rest[:at]]


def _faded(clause: Clause, owned: Owned) -> Iterator[Claim]:
    """For "the peanut allergy has gone", "the gym membership expired"."""
    noun = owned.name.rpartition(" ")[2]
    if noun in {"allergy", "fear"}:
        said = owned.name.removesuffix(noun).strip()
        yield claim(clause, noun, said, single=False, row=_OVER, subject=owned.subject)
    else:
        yield ended(clause, owned.name, subject=owned.subject)


def _copula(clause: Clause, owned: Owned | None) -> Iterator[Claim]:
    rest = [word for word in clause.rest if word not in w.ADVERBS] or [clause.verb]
    told = phrase(rest, clause.names)
    if not told.values:
        return
    said = told.value
    kind = kind_of(said)
    years = said.split()
    if years[1:2] == ["year"] and years[2:] in (["old"], []) and years[0].isdigit():
        yield claim(clause, "age", years[0], single=True)
    elif owned and (owned.subject or not kind or kind[0] not in STATES):
        if clause.verb or is_property(owned.row, said, rest[0], clause.names):
            yield claim(clause, f"{owned.name} is", said, single=False, subject=owned.subject)
            return
        yield owned_claim(clause, owned, said, scene=scenes(told.modifiers))
        if owned.row.name == "spouse" and is_named(said, clause.names):
            married = f"married {said}"
            yield claim(clause, "marital status", married, single=True, subject=owned.subject)
    elif kind and kind[0] in STATES:
        row = _LASTING if clause.verb else NO_PREDICATE
        yield claim(clause, *kind, single=True, row=row, named=True)
    else:
        yield from role_of(clause, NO_PREDICATE, rest)
        yield claim(clause, "is", said, single=False, scene=scenes(told.modifiers))


def _transferred(clause: Clause) -> list[Claim]:
    """Where the object is: "moved the notes to Notion", "stores exports in the vault"."""
    openers = {"to"} if clause.verb in rows.TRANSFERS else {"in", "on", "at"}
    if clause.verb not in rows.TRANSFERS | rows.PLACING or clause.is_be:
        return []
    at = next((i for i, word in enumerate(clause.rest) if word in openers), 0)
    thing = [word for word in before("from", clause.rest[:at]) if word not in w.ADVERBS]
    if not thing:
        return []
    row = Predicate(replaces=clause.verb in rows.TRANSFERS)
    said = phrase([word for word in clause.rest[at + 1 :] if word not in w.ADVERBS]).value
    if owned := about(thing, clause.about):
        owned = owned if owned.subject else replace(owned, subject=clause.about)
        return [owned_claim(clause, owned, said, row)]
    subject = subject_of(thing, "")
    return [
        claim(clause, "place", said, single=True, row=row, subject=subject, named=True),
        claim(clause, value(thing), said, single=True, row=row),
    ]


def _instead(clause: Clause) -> Iterator[Claim]:
    """What is given up: the poetry in "short stories instead of poetry"."""
    told = phrase(clause.rest, clause.names)
    is_change = clause.verb in rows.TRANSFERS | {"upgrade", "downgrade", "return", "relocate"}
    given_up = told.after("instead", "than", *(("from",) if is_change else ()))
    if given_up and "than" not in clause.rest[:2]:
        yield ended(clause, given_up)
