"""How the words after an English predicate become claims: one function for each Form."""

from collections.abc import Callable, Iterator, Mapping

from hindsight_memory.core.conflict import english_rows as rows
from hindsight_memory.core.conflict import english_words as w
from hindsight_memory.core.conflict.attributes import (
    ANY,
    ANY_HABIT,
    BY_NAME,
    Shape,
    english_attribute,
)
from hindsight_memory.core.conflict.english_claims import (
    claim,
    is_named,
    owned_claim,
)
from hindsight_memory.core.conflict.english_clauses import Clause
from hindsight_memory.core.conflict.english_fits import (
    attribute_name,
    is_clock,
    is_fit,
    is_somewhere,
    is_time,
    is_value_of,
    last,
)
from hindsight_memory.core.conflict.english_phrases import (
    Phrase,
    about,
    phrase,
    scene_of,
    scenes,
    subject_of,
    value,
)
from hindsight_memory.core.conflict.english_table import Form, Predicate
from hindsight_memory.core.conflict.kinds import GENERIC, POSSESSED, STATES, kind_of
from hindsight_memory.core.conflict.model import Claim, Polarity
from hindsight_memory.core.conflict.places import is_organisation, is_place

Claims = Iterator[Claim]


def _plain(clause: Clause, row: Predicate, rest: list[str]) -> Claims:
    told = phrase(rest, clause.names)
    name = attribute_name(row.attribute, told.value, told.classifier)
    if told.value and not is_fit(clause, name, told.value, rest):
        return
    if name == "name" and (owned := about(clause.subject, clause.about)):
        yield owned_claim(clause, owned, told.value, row)
        return
    single = name not in BY_NAME or BY_NAME[name].is_single_valued
    values = told.values[:1] if single else told.values
    limits = scenes(told.modifiers)
    for said in values or ([""] if row.polarity is Polarity.ENDED else []):
        plain = _spelt(_without(name, said))
        yield claim(clause, name, plain, single=single, row=row, scene=limits, named=True)
    match name:
        case "allergy" if clause.verb == "eat":
            yield from generic(clause)
        case "job":
            yield from employed(clause, row, told.after("at", "for", "with"))
        case "field" if row.replaces and last(told.value) in rows.FIELDS:
            yield claim(clause, "job", told.value, single=True, row=row)
        case "liking":
            yield from _compared(clause, told.value, told.after("over", "to"))
            if (kind := kind_of(told.value)) and kind[0] in BY_NAME and kind[0] not in _NO_TOOLS:
                single = BY_NAME[kind[0]].is_single_valued
                yield claim(clause, *kind, single=single, row=row, scene=limits, named=True)


def _spelt(said: str) -> str:
    """The one spelling of a value that is known."""
    kind = kind_of(said)
    return kind[1] if kind and kind[0] == "language" else said


def _without(noun: str, said: str) -> str:
    """Their peanut allergy is peanuts; their fear of heights, heights."""
    return said.removeprefix(noun).removesuffix(noun).strip().removeprefix("of ")


def employed(clause: Clause, row: Predicate, employer: str) -> Claims:
    if employer and is_somewhere(clause, employer, ["a"]):
        yield claim(clause, "employer", employer, single=True, row=row)


def _compared(clause: Clause, chosen: str, other: str) -> Claims:
    """Of two things the one that is preferred; the order in which they are told says nothing."""
    if chosen and other:
        pair = " or ".join(sorted((chosen, other)))
        yield claim(clause, f"choice of {pair}", chosen, single=True, named=True)
    if other and clause.is_now:
        yield ended(clause, other)


def _fixed(clause: Clause, row: Predicate, rest: list[str]) -> Claims:
    other = phrase(rest, clause.names).value if row.attribute == "marital status" else ""
    who = clause.about.split()
    if "and" in who[1:-1]:  # "Ann and Bob divorced"
        at = who.index("and")
        who, other = who[:at], " ".join(who[at + 1 :])
    yield claim(
        clause,
        row.attribute,
        f"{row.value} {other}".strip(),
        single=True,
        row=row,
        subject=" ".join(who),
        scene=scenes(phrase(rest, clause.names).modifiers),
        named=True,
    )


def _inverse(clause: Clause, row: Predicate, rest: list[str]) -> Claims:
    thing = subject_of(_with_what_for(rest), "")
    if thing and clause.about:
        yield claim(
            clause, row.attribute, clause.about, single=False, row=row, subject=thing, named=True
        )
    yield from generic(clause)


def _with_what_for(rest: list[str]) -> list[str]:
    """Onboarding for Atlas is not that for others; for now and for the summer is when."""
    thing = until_stop(rest)
    after = rest[len(thing) :]
    what_for = until_stop(after[1:]) if after[:1] == ["for"] else []
    limits = scene_of(what_for)
    return [*thing, *what_for] if limits and limits.isdisjoint(rows.RECURRENT) else thing


def until_stop(words: list[str]) -> list[str]:
    end = next((i for i, word in enumerate(words) if word in w.STOPS), len(words))
    return words[:end]


def _of_kind(clause: Clause, row: Predicate, rest: list[str]) -> Claims:
    told = phrase(rest, clause.names)
    limits = scenes(told.modifiers)
    purpose, role = told.after("for"), told.after("as")
    if scene_of(purpose.split()):
        yield claim(clause, f"tool for {purpose}", told.value, single=True, row=row, named=True)
    if role and (owned := about(role.split())):
        yield owned_claim(clause, owned, told.value, row)
    elif role:
        yield claim(clause, "tool", told.value, single=True, row=row, subject=role, named=True)
    kind = kind_of(told.value)
    if kind and (kind[0] == "color" or (kind[0] in BY_NAME and kind[0] not in _NO_TOOLS)):
        yield _kind_claim(clause, row, told.value, limits)
    elif is_time(told.value):
        yield claim(clause, "schedule", told.value, single=True, row=row, scene=limits)
    if row.replaces and not is_time(told.value):
        yield claim(clause, "use", told.value, single=False, row=row, scene=limits)
    if not row.replaces:
        yield from generic(clause)


_NO_TOOLS = frozenset({"child", "pet", "sport"})


def _kind_claim(clause: Clause, row: Predicate, said: str, limits: frozenset[str]) -> Claim:
    kind, spelt = kind_of(said) or ("", said)
    name = "favorite color" if kind == "color" else kind
    single = kind not in BY_NAME or BY_NAME[kind].is_single_valued
    if kind in POSSESSED or any(map(str.isdigit, said)):
        spelt = said
    return claim(clause, name, spelt, single=single, row=row, scene=limits, named=True)


_MOVING = frozenset({"move", "relocate", "return", "transfer", "go"})


def _moved(clause: Clause, row: Predicate, rest: list[str]) -> Claims:
    said = phrase(rest, clause.names).value
    if not rows.DUTIES.isdisjoint(clause.subject) and is_named(said, clause.names):
        yield claim(clause, "owner", said, single=True, row=row)
    elif not rows.LABELLED.isdisjoint(said.split()[-2:-1]):
        yield claim(clause, "use", said, single=False, row=row)
    else:
        yield from _moved_somewhere(clause, row, rest)


def _moved_somewhere(clause: Clause, row: Predicate, rest: list[str]) -> Claims:
    told = phrase(rest, clause.names)
    said = told.value
    if clause.verb == "go" and "back" not in clause.rest:
        yield from generic(clause)
        return
    owned = about(clause.subject, clause.about)
    kind = kind_of(said)
    is_tool = kind is not None and kind[0] in BY_NAME and kind[0] not in POSSESSED
    if owned and is_value_of(owned.row.name, said) and (owned.subject or not is_tool):
        yield owned_claim(clause, owned, said, row)
    elif (is_time(said) or said[:1].isdigit()) and not is_place(said):
        yield claim(clause, "schedule", said, single=True, row=row)
    elif last(said) in {"team", "department"}:
        yield claim(clause, "team", said, single=True, row=row)
    elif kind and is_tool:
        yield claim(clause, *kind, single=True, row=row, named=True)
    elif is_organisation(said) and not is_place(said):
        yield claim(clause, "employer", said, single=True, row=row)
    elif clause.verb in _MOVING and is_somewhere(clause, said, rest):
        yield claim(clause, "residence", said, single=True, row=row)
        yield claim(clause, "location", said, single=True, row=row)
    if clause.about != "user" and clause.verb in _MOVING:
        yield claim(clause, "platform", said, single=True, row=row)


def _role(clause: Clause, row: Predicate, rest: list[str]) -> Claims:
    said = until_stop(rest[rest[:1] == ["as"] :])
    role = value(before("of", said), clause.names)
    kind = kind_of(role)
    if kind and kind[0] in STATES:
        yield claim(clause, *kind, single=True, row=row, named=True)
        return
    yield from _office(clause, row, role.split(), said)
    if last(role) in rows.PROFESSIONS:
        body = value(_after("of", said), clause.names) if last(role) not in rows.TASKS else ""
        yield claim(clause, "job", role, single=row.replaces, row=row)
        yield from employed(
            clause, row, body or phrase(rest, clause.names).after("at", "for", "with")
        )


def role_of(clause: Clause, row: Predicate, rest: list[str]) -> list[Claim]:
    return list(_role(clause, row, rest))


def _office(clause: Clause, row: Predicate, role: list[str], said: list[str]) -> Claims:
    """An attribute of the project, for "the owner of the project"."""
    name, attribute = english_attribute(role[-1:])
    if not role or not (role[-1] in rows.ROLES or attribute.shape is Shape.NAME):
        return
    is_the_one = said[:1] == ["the"]
    thing = subject_of(_after("of", said) or (role[:-1] if is_the_one else []), "")
    is_known = thing or (is_the_one and row.replaces and name in BY_NAME)
    if is_known and attribute.is_single_valued:
        yield claim(clause, name, clause.about, single=True, row=row, subject=thing, named=True)


def _after(word: str, words: list[str]) -> list[str]:
    return words[words.index(word) + 1 :] if word in words else []


def before(word: str, words: list[str]) -> list[str]:
    return words[: words.index(word)] if word in words else words


def _ended(clause: Clause, row: Predicate, rest: list[str]) -> Claims:
    if clause.verb == "let":
        at = next((i for i, word in enumerate(rest) if w.LEMMAS.get(word) in rows.LAPSES), 0)
        rest = rest[:at]
    told = phrase(rest, clause.names)
    for said in told.values:
        yield ended(clause, said, row)
    if clause.verb in {"leave", "quit"}:
        yield from employed(clause, _NEW_POST, told.after("for"))


_NEW_POST = Predicate(replaces=True)
_OVER = Predicate(polarity=Polarity.ENDED)


def ended(
    clause: Clause, said: str, row: Predicate = _OVER, *, subject: str | None = None
) -> Claim:
    """That ``said`` is over, whatever it was: a pet, a tool, a habit."""
    words = said.split()
    plain = " ".join(words[:-1]) if words[1:] and words[-1] in rows.CONTRACTS else said
    kind = kind_of(plain) if plain in GENERIC else None
    name = kind[0] if kind else row.attribute or ANY
    return claim(clause, name, plain, single=False, row=row, subject=subject)


def _swapped(clause: Clause, row: Predicate, rest: list[str]) -> Claims:
    told = phrase(rest, clause.names)
    other = told.after("for", "with", "by")
    if not other:
        return
    yield ended(clause, told.value)
    if kind_of(other):
        yield _kind_claim(clause, row, other, frozenset())


def _given(clause: Clause, row: Predicate, rest: list[str]) -> Claims:
    thing, owner = subject_of(until_stop(rest), ""), phrase(rest, clause.names).after("to")
    if thing and owner and is_named(owner, clause.names):
        yield claim(clause, row.attribute, owner, single=True, row=row, subject=thing)


def _possessed(clause: Clause, row: Predicate, rest: list[str]) -> Claims:
    told = phrase(rest, clause.names)
    words = told.value.split()
    kind = kind_of(told.value)
    if words[-1:] == ["allergy"]:
        yield claim(clause, "allergy", " ".join(words[:-1]), single=False, row=row)
    elif kind and kind[0] in POSSESSED:
        yield from _kept(clause, row, told)
    elif kind and kind[0] in BY_NAME and clause.verb in {"adopt", "get"}:
        yield _kind_claim(clause, row, told.value, frozenset())
    elif words[1:] and words[0].isdigit() and clause.verb in {"", "have", "contain"}:
        counted = " ".join(words[1:])
        limits = scenes(told.modifiers)
        yield claim(clause, f"number of {counted}", words[0], single=True, row=row, scene=limits)
    else:
        yield from generic(clause)
    if clause.verb == "own" and rest[:1] == ["the"]:
        yield from _inverse(clause, Predicate(attribute="owner"), rest)


def _kept(clause: Clause, row: Predicate, told: Phrase) -> Claims:
    """Each of "a cat and a dog named Rex", who is the last."""
    limits, name = scenes(told.modifiers), told.after("named", "called")
    for place, one in enumerate(told.values, 1):
        said = f"{one} {name}".strip() if place == len(told.values) else one
        kind = (kind_of(one) or ("do have",))[0]
        yield claim(clause, kind, said, single=False, row=row, scene=limits, named=True)


def _offered(clause: Clause, row: Predicate, rest: list[str]) -> Claims:
    told = phrase(rest, clause.names)
    if last(told.value) in rows.JOB:
        yield from employed(clause, row, told.after("at", "with"))
    else:
        yield from generic(clause)


def _taken_up(clause: Clause, row: Predicate, rest: list[str]) -> Claims:
    for said in phrase(rest, clause.names).values:
        is_played = (kind_of(said) or ("",))[0] in {"instrument", "sport"}
        name = "do play" if is_played else "liking"
        yield claim(clause, name, said, single=False, row=Predicate(lasting=True))


def _working(clause: Clause, row: Predicate, rest: list[str]) -> Claims:
    employer = phrase(rest, clause.names).after("at", "for")
    if is_organisation(employer):
        yield from employed(clause, row, employer)
    yield from generic(clause)


_FAMILY: Mapping[str, str] = dict.fromkeys(
    ("own", "get", "buy", "acquire", "obtain", "receive", "purchase", "create"), "have"
) | {"consume": "eat"}
"""Who gets a thing has it."""
_OBJECTS: Mapping[str, str] = {"drink": "alcohol"}
"""What a verb means without an object, if not everything."""


def generic(clause: Clause) -> Claims:
    """A verb without a row: the same of something else adds, and the same denied contradicts."""
    rest = [word for word in clause.rest if word not in w.ADVERBS | w.FREQUENCIES]
    particle = rest[:1] if rest[:1] and rest[0] in w.PARTICLES else []
    rest = rest[len(particle) :]
    if rest[:1] and rest[0] in w.REASONS:
        rest = []
    opens = rest[:1] != [] and rest[0] in w.PREPOSITIONS
    told = phrase(rest[1:] if opens else rest, clause.names)
    verb = _FAMILY.get(clause.verb, clause.verb) or ("have" if clause.is_have else "be")
    passive = ["be"] if clause.is_be else []
    name = " ".join(["do", *passive, verb, *particle, *(rest[:1] if opens else [])])
    kind = kind_of(told.value)
    for often in clause.adverbs & w.FREQUENCIES:
        what = f"{name} {told.value}".strip()
        yield claim(clause, f"{what} how often", often, single=True, named=True)
    if name.endswith(" at") and clause.verb in rows.BOUNDS and is_clock(told.value):
        yield claim(clause, name, told.value, single=True, scene=scenes(told.modifiers))
        return
    if kind and kind[0] == "shift":
        yield claim(clause, *kind, single=True, named=True)
    if not told.values and clause.polarity is Polarity.ENDED:
        yield ended(clause, verb, Predicate(attribute=ANY_HABIT))
    for said in told.values or [_OBJECTS.get(verb, "")]:
        yield claim(clause, name, said, single=False, scene=scenes(told.modifiers))


READINGS: Mapping[Form, Callable[[Clause, Predicate, list[str]], Claims]] = {
    Form.PLAIN: _plain,
    Form.FIXED: _fixed,
    Form.INVERSE: _inverse,
    Form.KIND: _of_kind,
    Form.MOVE: _moved,
    Form.ANYTHING: _ended,
    Form.SWAP: _swapped,
    Form.GIVE: _given,
    Form.POSSESSION: _possessed,
    Form.ROLE: _role,
    Form.OFFER: _offered,
    Form.WORK: _working,
    Form.HOBBY: _taken_up,
}
