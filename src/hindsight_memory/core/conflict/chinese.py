"""What a Chinese text claims: predicates looked up in ``chinese_rows``, nouns in ``attributes``."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from hindsight_memory.core.conflict.attributes import (
    ANY,
    BY_NAME,
    CHINESE_NOUN,
    OTHER,
    Arity,
    Shape,
    chinese_attribute,
)
from hindsight_memory.core.conflict.chinese_clauses import (
    Heard,
    cuts_no_word,
    is_scene,
    subject_and_scene,
    who,
)
from hindsight_memory.core.conflict.chinese_fits import TIME, is_property
from hindsight_memory.core.conflict.chinese_parts import heard_apart, listed, says_something
from hindsight_memory.core.conflict.chinese_rows import ChinesePredicate, Form, compiled
from hindsight_memory.core.conflict.chinese_table import CHINESE
from hindsight_memory.core.conflict.chinese_words import FAVORITES, VERBS, WHOLE
from hindsight_memory.core.conflict.kinds import GENERIC, STATES, kind_of
from hindsight_memory.core.conflict.model import UNKNOWN, Claim, Part, Polarity, Slot, Tense
from hindsight_memory.core.conflict.places import is_organisation, is_place

_ADDS = re.compile("也|还|又")
_ENDING = re.compile("不再|再也不|已不")
_TAIL = re.compile("(?:[了吧呢啊的]|一起)+$")
_HEAD = re.compile("^(?:一[名位个只条家]|了|任何|一些|各种)")
_NO_VALUE = re.compile("^(?:什么|谁|哪|多少|几|这|那|它|他|她)|[很非不]|的")
_OFFERED = re.compile("(?<=.)的?(?:订阅|会员|会籍|服务|课程)$")
_INSIDE = re.compile("[里上下中内外面旁前后边]$")
_CLUBS = re.compile("(?:群|俱乐部|社团|党|(?<!集)团|队|会|协会|讨论|会议|计划|项目|团队|小组)$")
_QUALIFIED = re.compile("(?P<owner>.*?)(?P<which>主|默认|备用|首选|常用)")
_DAY = re.compile(
    r"(?:\d{1,2}月)?\d{1,2}[日号](?:[早晚上下]午?)?(?:\d{1,2}[点:时](?:\d{1,2}分?|半)?)?"
    r"|(?:[早晚上下]午?)?\d{1,2}[点:时](?:\d{1,2}分?|半)?|(?:下?周|星期)[一二三四五六日天]"
)
_OWNED = re.compile(f"(?P<s>.+?)的?(?P<noun>{CHINESE_NOUN})")


@dataclass(frozen=True, slots=True)
class _Told:
    """A clause and the row that fits it; ``parts`` are the named groups of its pattern."""

    clause: Heard
    row: ChinesePredicate
    parts: Mapping[str, str | None]
    about: str
    scene: frozenset[str]

    @property
    def value(self) -> str:
        return _value(self.parts.get("v") or "")

    @property
    def target(self) -> str:
        """What something is changed or given to; the value where nothing else is."""
        return _value(self.parts.get("to") or "") or self.value

    @property
    def tense(self) -> Tense:
        lasts = self.row.replaces or self.row.polarity is not Polarity.HOLDS
        is_past = self.clause.was and not lasts and self.clause.tense is Tense.PRESENT
        return Tense.PAST if is_past else self.clause.tense

    @property
    def polarity(self) -> Polarity:
        denial = self.parts.get("neg") or ""
        said = Polarity.HOLDS
        if denial:
            is_over = _ENDING.search(denial) or self.clause.text.endswith("了")
            said = Polarity.ENDED if is_over else Polarity.DENIED
        if Polarity.HOLDS in {said, self.row.polarity}:
            return self.row.polarity if said is Polarity.HOLDS else said
        return Polarity.HOLDS


def claims(text: str) -> Iterator[Claim]:
    """In the order of the text."""
    last = ""
    for clause in heard_apart(text, _stands_alone):
        about, read = _read(clause, last)
        yield from read
        last = about or last


def parts(text: str, claims: Sequence[Claim]) -> Iterator[Part]:
    """What it says by itself, clause by clause; remarks on what was said are no part."""
    for clause in heard_apart(text, _stands_alone):
        told = [claim for claim in claims if claim.clause == clause.number]
        if says_something(clause.words, told):
            yield Part(number=clause.number, words=clause.words)


def _stands_alone(clause: Heard) -> bool:
    """Whether it is understood without what follows; 在公司 only tells where."""
    return any(
        told.row.form is not Form.MOVE or told.row.replaces for told, _ in _readings(clause, "")
    )


def _read(clause: Heard, last: str) -> tuple[str, list[Claim]]:
    for told, read in _readings(clause, last):
        return told.about, [each for claim in read for each in listed(claim)]
    return "", []


def _readings(clause: Heard, last: str) -> Iterator[tuple[_Told, list[Claim]]]:
    """By the first row that makes anything of it."""
    for row in CHINESE:
        if found := _fitting(row, clause.text):
            about, scene = subject_and_scene(found["s"], last)
            if about == UNKNOWN:
                return
            told = _Told(clause, row, found.groupdict(), about, scene)
            if read := list(_FORMS[row.form](told)):
                yield told, read
                return


def _fitting(row: ChinesePredicate, text: str) -> re.Match[str] | None:
    if not any(cue in text for cue in row.cues):
        return None
    found = compiled(row.pattern).fullmatch(text)
    if found and row.is_word:
        start, end = found.span("verb")
        if text.startswith(WHOLE, start):
            return found
        is_word = cuts_no_word(text, found.start("neg") if found["neg"] else start, end)
        return found if is_word else None
    return found


def _value(said: str) -> str:
    return _HEAD.sub("", _TAIL.sub("", said)).strip()


def _claim(
    told: _Told,
    attribute: str,
    value: str,
    *,
    single: bool,
    subject: str | None = None,
    polarity: Polarity | None = None,
) -> Claim:
    if polarity is None:
        polarity = told.polarity
    if value in GENERIC and polarity is not Polarity.HOLDS:
        value = ""
    is_added = _ADDS.search(told.parts.get("adv") or "") is not None
    return Claim(
        slot=Slot(
            subject=told.about if subject is None else subject,
            attribute=attribute,
            value=value,
            polarity=polarity,
            is_single_valued=single,
        ),
        tense=told.tense,
        replaces=(told.row.replaces or told.clause.is_now) and not is_added,
        is_named=not _NO_VALUE.search(value),
        scene=told.scene,
        period=told.clause.period,
        clause=told.clause.number,
        words=told.clause.words,
    )


def _plain(told: _Told) -> Iterator[Claim]:
    name, value = told.row.attribute, told.target
    if name == "name" and not told.parts["s"]:
        return  # 我做了一道菜,叫做 names the dish
    if name == "employer" and (is_scene(value) or _INSIDE.search(value)):
        return
    if name == "employer" and is_place(value) and not is_organisation(value):
        name = "place of work"
    if name == "employer" and _CLUBS.search(value) and not is_organisation(value):
        return
    if name == "version" and (kind := kind_of(value)) and kind[0] in BY_NAME:
        name = kind[0]  # 升级到 Python 3.12
    row = BY_NAME.get(name, OTHER)
    if value:
        yield _claim(told, name, _spelt(value, "language"), single=row.is_single_valued)
    if role := told.parts.get("role"):
        yield _claim(told, "job", _value(role), single=told.row.replaces)


def _of_kind(told: _Told) -> Iterator[Claim]:
    value, kind = told.value, kind_of(told.value)
    if told.row.attribute in {"language", "diet", "states"}:
        if kind and (kind[0] == told.row.attribute or kind[0] in STATES):
            single = kind[0] != "language"
            yield _claim(told, kind[0], kind[1], single=single)
        return
    if purpose := told.parts.get("to"):
        yield _claim(told, f"tool for {_value(purpose)}", value, single=True)
    if kind:
        name = "favorite color" if kind[0] == "color" else kind[0]
        single = kind[0] not in BY_NAME or BY_NAME[kind[0]].is_single_valued
        is_exact = kind[0] == "vehicle" or any(map(str.isdigit, value))
        yield _claim(told, name, value if is_exact else kind[1], single=single)
    if told.row.attribute == "use":
        yield _claim(told, "do use", value, single=False)
    elif not kind:
        yield _claim(told, "use", value, single=False)


def _moved(told: _Told) -> Iterator[Claim]:
    value = told.value
    if _DAY.fullmatch(value) and told.about != "user" and not told.row.replaces:
        yield _claim(told, "schedule", value, single=True)
        return
    is_since = told.clause.period is not None and not _INSIDE.search(value)
    if is_organisation(value) and not is_place(value):
        yield _claim(told, "employer", value, single=True)
    elif told.row.replaces:
        yield from _moved_to(told, value)
    elif is_place(value):
        yield _claim(told, "location", value, single=True)
    elif is_since:
        yield _claim(told, "employer", value, single=True)


def _moved_to(told: _Told, place: str) -> Iterator[Claim]:
    yield _claim(told, "residence", place, single=True)
    yield _claim(told, "location", place, single=True)


def _anything(told: _Told) -> Iterator[Claim]:
    if told.value in GENERIC and (kind := kind_of(told.value)):
        yield _claim(told, kind[0], told.value, single=False)
    elif told.value:
        yield _claim(told, told.row.attribute, _OFFERED.sub("", told.value), single=False)


def _inverse(told: _Told) -> Iterator[Claim]:
    if told.about and len(told.value) > 1:
        yield _claim(told, "owner", told.about, single=False, subject=who(told.value, ""))


def _given(told: _Told) -> Iterator[Claim]:
    yield _claim(told, "owner", told.target, single=True, subject=who(told.value, ""))


def _fixed(told: _Told) -> Iterator[Claim]:
    said = f"{told.row.value} {told.value}".strip()
    yield _claim(told, told.row.attribute, said, single=True)


def _named(told: _Told) -> Iterator[Claim]:
    noun = told.parts.get("noun") or ""
    said = told.parts.get("s") or ""
    owner, _, qualifier = said.partition("的")
    subject = told.about if not qualifier else who(owner, "")
    if not qualifier and (found := _QUALIFIED.fullmatch(said)):
        qualifier, subject = found["which"], who(found["owner"].removesuffix("的"), "")
    yield from _attribute(told, subject, qualifier, noun, told.value)


def _attribute(told: _Told, subject: str, qualifier: str, noun: str, value: str) -> Iterator[Claim]:
    name, row = chinese_attribute(noun) or (noun, OTHER)
    if row is BY_NAME["aspect"]:
        return
    if (kind := kind_of(value)) and (kind[0] == row.name or name.endswith(kind[0])):
        value = kind[1]
    is_thing = row is not OTHER or value.isascii() or any(map(str.isdigit, value))
    if is_property(told.clause.text, told.row, row, value):
        yield _claim(told, f"{name} is", value, single=False, subject=subject)
    elif (
        value and subject and is_thing and not (row.shape is Shape.NAME and _NO_VALUE.search(value))
    ):
        name = f"{qualifier} {name}" if qualifier else name
        yield _claim(told, name, value, single=row.arity is not Arity.MANY, subject=subject)
        if row.name == "spouse":
            married = "partnered" if "朋友" in noun or "友" in noun else "married"
            yield _claim(told, "marital status", f"{married} {value}", single=True, subject=subject)


def _swapped(told: _Told) -> Iterator[Claim]:
    old, new = told.value, told.target
    if TIME.fullmatch(new):
        yield _claim(told, "schedule", new, single=True)
    elif is_place(old) and is_place(new):
        yield from _moved_to(told, new)
    elif owned := _OWNED.fullmatch(old):
        yield from _attribute(told, who(owned["s"], ""), "", owned["noun"], new)
    elif row := chinese_attribute(old):
        yield _claim(told, row[0], _spelt(new, row[0]), single=row[1].is_single_valued)
    elif "换" not in told.clause.text and not _is_one_kind(old, new):
        yield _claim(told, old, new, single=True)
    else:
        yield _claim(told, ANY, old, single=False, polarity=Polarity.ENDED)
        if (kind := kind_of(new)) and _is_one_kind(old, new):
            yield _claim(told, kind[0], kind[1], single=False)


def _is_one_kind(old: str, new: str) -> bool:
    """Whether one thing gives way to another of its kind; else the first says what for."""
    was, now = kind_of(old), kind_of(new)
    return was is not None and now is not None and was[0] == now[0]


def _spelt(value: str, attribute: str) -> str:
    kind = kind_of(value)
    return kind[1] if kind and kind[0] == attribute else value


def _verbal(told: _Told) -> Iterator[Claim]:
    verb, value = told.parts.get("verb") or "", told.value
    if not value:
        return
    if told.row.attribute == "liking":
        yield _claim(told, "liking", value, single=False)
        kind = kind_of(value)
        if kind and kind[0] in BY_NAME and BY_NAME[kind[0]].is_single_valued:
            yield _claim(told, kind[0], kind[1], single=True)
    if verb in VERBS:
        yield _claim(told, f"do {VERBS[verb]}", value, single=False)


def _favorite(told: _Told) -> Iterator[Claim]:
    noun, verb = told.parts.get("noun") or "", told.parts.get("verb") or ""
    kind = kind_of(told.value)
    what = FAVORITES.get(noun, noun) or VERBS.get(verb, "")
    if not what and kind:
        what = kind[0]
    if what:
        value = kind[1] if kind and kind[0] == what else told.value
        yield _claim(told, f"favorite {what}", value, single=True)
    else:
        yield _claim(told, "liking", told.value, single=False)


def _thing(told: _Told) -> Iterator[Claim]:
    kind = kind_of(told.value)
    if kind and kind[0] == told.row.attribute:
        yield _claim(told, kind[0], told.value, single=False)


def _clocked(told: _Told) -> Iterator[Claim]:
    said = f"{told.parts.get('part') or ''}{told.value}"
    yield _claim(told, f"time of {told.parts['noun']}", said, single=True)


def _tally(told: _Told) -> Iterator[Claim]:
    noun = told.parts.get("noun") or ""
    counted = noun[1:] or noun
    if counted:
        yield _claim(told, f"number of {counted}", told.value, single=True)


_FORMS: Mapping[Form, Callable[[_Told], Iterator[Claim]]] = {
    Form.PLAIN: _plain,
    Form.KIND: _of_kind,
    Form.MOVE: _moved,
    Form.ANYTHING: _anything,
    Form.INVERSE: _inverse,
    Form.GIVE: _given,
    Form.FIXED: _fixed,
    Form.CLOCK: _clocked,
    Form.NOUN: _named,
    Form.SWAP: _swapped,
    Form.VERB: _verbal,
    Form.FAVORITE: _favorite,
    Form.THING: _thing,
    Form.TALLY: _tally,
}
