"""What was said about how things are done: corrections, and decisions with reasons. Pure.

A correction that is repeated is a preference, and a decision without its reason is half lost. Both
are recognised by rules in two languages: a new way of saying so is a line of a table.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from hindsight_memory.core.admission import classify
from hindsight_memory.core.model import Memory
from hindsight_memory.core.policy import MemoryType, Source
from hindsight_memory.core.retrospection.model import (
    ENDED,
    Bearing,
    Pattern,
    Session,
    in_order,
    moment,
    text,
)
from hindsight_memory.core.script import has_han
from hindsight_memory.core.text import fold
from hindsight_memory.core.values import canonical

OF_THE_USER = frozenset({Source.USER_EXPLICIT, Source.USER_CONFIRMED})

LONGEST = 400
"""Characters of a turn that is looked at: who corrects is brief, and who pastes does not."""

LONGEST_DEMAND = 60
"""Characters of what is wanted."""

NEXT = 3
"""Turns after a decision in which its reason may follow."""

_VERBS = (
    "use|write|answer|reply|respond|speak|talk|format|indent|name|call|keep|show|put|make|include"
    "|prefer|print|return|run|translate|address"
)
_WRONG = (
    r"no|nope|wrong|not that|that'?s (?:not|wrong)[^,.;!]*|stop|again|please|actually|i meant"
    r"|i (?:already )?(?:said|told you|asked)(?: you)?(?: to| for)?|as i said|once more|remember"
    r"|next time|from now on"
)
_LEAD = rf"(?:(?:{_WRONG})[\s,.:;!-]+)+"
_INSTEAD = r"(?:,? ?(?:and )?not|,? ?instead of|,? ?rather than)(?: (?:with|in))?"
_ENGLISH: Sequence[re.Pattern[str]] = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        # no, use tabs, not spaces
        rf"^{_LEAD}(?P<want>(?:{_VERBS}) [^,.;!]+?){_INSTEAD} (?P<not>[^,.;!]+)",
        # use tabs instead of spaces
        rf"^(?P<want>(?:{_VERBS}) [^,.;!]+?){_INSTEAD} (?P<not>[^,.;!]+)",
        # don't use spaces, use tabs
        (
            rf"^(?:{_LEAD})?(?:don'?t|do not|never|stop) (?:{_VERBS})(?:ing)? (?P<not>[^,.;!]+)"
            rf"[,.;!]+ ?(?P<want>(?:{_VERBS}) [^,.;!]+)"
        ),
        # no, use tabs
        rf"^{_LEAD}(?P<want>(?:{_VERBS}) [^,.;!]+)",
        # don't use spaces
        rf"^(?:{_LEAD})?(?:don'?t|do not|never) (?P<not>(?:{_VERBS}) [^,.;!]+)",
    )
)
_TRAILING = re.compile(
    r"(?:,? (?:please|instead|again|next time|from now on|always|now|here|ok(?:ay)?))+$",
    re.IGNORECASE,
)
_USE = "(?:用|使用|写|说|讲|叫|称呼|回答|回复|输出|显示|保留|改成|改为|写成|换成|翻译成)"
_ZH_LEAD = (
    "(?:(?:不对|错了|不是这样|不是的|我说过|我说了|我说的是|说过了|跟你说过|又错了|再说一遍|请"
    "|以后|下次|记住|应该|要|得)[，,。！!：: ]*)+"
)
_ZH_NOT = "(?:请)?(?:不要|别再?|不用|不许|不能|请勿|而不是|不是)"
_CHINESE: Sequence[re.Pattern[str]] = tuple(
    re.compile(pattern)
    for pattern in (
        (
            rf"^(?:{_ZH_LEAD})?(?P<want>{_USE}[^，,。；;！!]+?)[，,；; ]*{_ZH_NOT}"
            rf"{_USE}?(?P<not>[^，,。；;！!]+)"
        ),
        (
            rf"^(?:{_ZH_LEAD})?{_ZH_NOT}{_USE}?(?P<not>[^，,。；;！!]+?)[，,；;。！! ]+"
            rf"(?:{_ZH_LEAD})?(?P<want>{_USE}[^，,。；;！!]+)"
        ),
        rf"^{_ZH_LEAD}(?P<want>{_USE}[^，,。；;！!]+)",
        rf"^(?:{_ZH_LEAD})?{_ZH_NOT}(?P<not>{_USE}[^，,。；;！!]+)",
    )
)
_ZH_TRAILING = re.compile("(?:了|吧|呀|啊|哦|哈|好吗|行吗|来|跟我|给我|回答|回复|交流|沟通|说话)+$")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？…\n])")

_BECAUSE = re.compile(
    r"(?P<decision>.+?)[\s,;:—-]*(?:\b(?:because(?: of)?|since|due to|given that|so that|the reason"
    r" (?:is|being)|reason:)|因为|由于|原因是|理由是|为了)[\s:：，,]*(?P<reason>.+)",
    re.IGNORECASE | re.DOTALL,
)
_REASON_FIRST = re.compile(
    "(?:因为|由于)(?P<reason>.+?)[，,；; ]+(?:所以|因此|于是)?(?P<decision>.+)"
    r"|(?:because(?: of)?|since|due to|given) (?P<why>.+?), (?P<what>.+)",
    re.IGNORECASE | re.DOTALL,
)
_FOLLOWS = re.compile(
    r"^(?:because(?: of)?|since|due to|the reason (?:is|being)|reason:|that'?s because"
    r"|it'?s because|因为|由于|原因是|理由是)[\s:：，,]*(?P<reason>.+)",
    re.IGNORECASE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class _Demand:
    wanted: str
    unwanted: str

    @property
    def key(self) -> tuple[str, ...]:
        return canonical(self.wanted) if self.wanted else ("not", *canonical(self.unwanted))


@dataclass(frozen=True, slots=True)
class _Decided:
    """turns: those that say it, the one with the reason last."""

    decision: str
    reason: str
    turns: tuple[Memory, ...]


def patterns(session: Session) -> list[Pattern]:
    """Each once, in the order in which they were said first."""
    found = [_correction(session, demand) for _, demand in _demands(session.episodes)]
    found += [_decision(session, decided) for decided in _decisions(session.episodes)]
    return list({each.key: each for each in reversed(found)}.values())[::-1]


def bearing(pattern: Pattern, episodes: Iterable[Memory]) -> Bearing:
    """Which turns say the same, and which the opposite since."""
    if pattern.kind == "decision":
        return Bearing(supports=in_order(_saying(pattern, in_order(episodes))))
    mine = _Demand(text(pattern.facts, "wanted"), text(pattern.facts, "unwanted"))
    demands = list(_demands(in_order(episodes)))
    supports = in_order(turn for turn, demand in demands if demand.key == mine.key)
    since = min(map(moment, supports), default=None)
    against = (turn for turn, demand in demands if _is_opposite(demand, mine))
    return Bearing(
        supports=supports,
        against=in_order(turn for turn in against if since is not None and moment(turn) > since),
    )


def retold(pattern: Pattern, turns: Iterable[Memory]) -> Pattern:
    """A correction with what is not wanted, where any of its ``turns`` names that."""
    key = _Demand(text(pattern.facts, "wanted"), text(pattern.facts, "unwanted")).key
    for _, demand in _demands(in_order(turns)):
        if demand.key == key and demand.unwanted:
            facts = {"wanted": demand.wanted, "unwanted": demand.unwanted}
            return replace(pattern, facts=facts)
    return pattern


KINDS = frozenset({"correction", "decision"})


def said(turn: Memory) -> str:
    """Its words, without the name of who speaks, which conversations begin with."""
    names = turn.event.participants if turn.event is not None else ()
    for name in names:
        if turn.content.startswith(f"{name}: "):
            return turn.content.removeprefix(f"{name}: ")
    return turn.content


def is_turn(episode: Memory) -> bool:
    event = episode.event
    return event is None or not (event.tool or event.action == ENDED)


def _demands(episodes: Iterable[Memory]) -> Iterator[tuple[Memory, _Demand]]:
    for turn in episodes:
        if turn.source not in OF_THE_USER or not is_turn(turn) or len(turn.content) > LONGEST:
            continue
        for sentence in _SENTENCE_END.split(said(turn)):
            if demand := _demand(sentence):
                yield turn, demand


def _demand(sentence: str) -> _Demand | None:
    """What one sentence corrects; None when it corrects nothing."""
    if "?" in sentence or "？" in sentence:
        return None
    words = " ".join(sentence.replace("’", "'").split())
    if has_han(words):  # in whatever script and width; names keep their case elsewhere
        words = fold(words)
    patterns = _CHINESE if has_han(words) else _ENGLISH
    found = next(filter(None, (pattern.search(words) for pattern in patterns)), None)
    if found is None:
        return None
    parts = found.groupdict()
    demand = _Demand(_plain(parts.get("want")), _plain(parts.get("not")))
    is_brief = max(len(demand.wanted), len(demand.unwanted)) <= LONGEST_DEMAND
    return demand if is_brief and demand.key else None


def _plain(part: str | None) -> str:
    words = _ZH_TRAILING.sub("", _TRAILING.sub("", (part or "").strip(" .,!。，！"))).strip()
    return words[:1].lower() + words[1:]


def _is_opposite(one: _Demand, other: _Demand) -> bool:
    return _rejects(one, other) or _rejects(other, one)


def _rejects(one: _Demand, other: _Demand) -> bool:
    """Whether ``one`` does not want what ``other`` does: without verb, as it is often said."""
    unwanted, wanted = canonical(one.unwanted), canonical(other.wanted)
    return (
        bool(unwanted)
        and bool(wanted)
        and one.key != other.key
        and (wanted[-len(unwanted) :] == unwanted or unwanted[-len(wanted) :] == wanted)
    )


def _correction(session: Session, demand: _Demand) -> Pattern:
    return Pattern(
        kind="correction",
        place=session.place,
        identity={"demand": list(demand.key)},
        facts={"wanted": demand.wanted, "unwanted": demand.unwanted},
        is_chinese=has_han(demand.wanted + demand.unwanted),
    )


def _decisions(episodes: Sequence[Memory]) -> Iterator[_Decided]:
    turns = [each for each in episodes if is_turn(each) and len(each.content) <= LONGEST]
    for at, turn in enumerate(turns):
        for sentence in map(str.strip, _SENTENCE_END.split(said(turn))):
            if not _decides(sentence):
                continue
            if decided := _with_reason(sentence):
                yield _Decided(*decided, (turn,))
            elif following := _reason_after(turns[at:], turn, sentence):
                reason, giver = following
                yield _Decided(_ended(sentence), reason, (turn, giver))


def _decides(sentence: str) -> bool:
    if "?" in sentence or "？" in sentence:
        return False
    return classify(sentence, is_event=False) is MemoryType.DECISION


def _with_reason(sentence: str) -> tuple[str, str] | None:
    if found := _REASON_FIRST.match(sentence):
        decision, reason = found["decision"] or found["what"], found["reason"] or found["why"]
        if _decides(decision):
            return _ended(decision), _ended(reason)
    if (found := _BECAUSE.match(sentence)) and _decides(found["decision"]):
        return _ended(found["decision"]), _ended(found["reason"])
    return None


def _reason_after(
    turns: Sequence[Memory], turn: Memory, sentence: str
) -> tuple[str, Memory] | None:
    """A reason that the same speaker gives in the next sentences."""
    _, _, later = said(turn).partition(sentence)
    offered = [(turn, later), *((each, said(each)) for each in turns[1 : NEXT + 1])]
    for giver, words in offered:
        if giver.source is not turn.source:
            continue
        first = next((each for each in map(str.strip, _SENTENCE_END.split(words)) if each), "")
        if found := _FOLLOWS.match(first):
            return _ended(found["reason"]), giver
    return None


def _ended(words: str) -> str:
    return " ".join(words.split()).strip(" .,;:!。，；：！")


def _decision(session: Session, decided: _Decided) -> Pattern:
    return Pattern(
        kind="decision",
        place=session.place,
        identity={"decision": list(canonical(decided.decision))},
        facts={"decision": decided.decision, "reason": decided.reason},
        is_chinese=has_han(decided.decision),
    )


def _saying(pattern: Pattern, episodes: Sequence[Memory]) -> Iterator[Memory]:
    mine = canonical(text(pattern.facts, "decision"))
    for decided in _decisions(episodes):
        if canonical(decided.decision) == mine:
            yield from decided.turns
