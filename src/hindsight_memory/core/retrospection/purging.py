"""A conclusion after an episode that it rests on was purged: nothing of that stays in it. Pure."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from hindsight_memory.core.induction import DECIDED, KEY, noted
from hindsight_memory.core.model import Json, Memory
from hindsight_memory.core.retrospection import lessons
from hindsight_memory.core.retrospection.model import Pattern, in_order, pattern_of
from hindsight_memory.core.retrospection.wording import worded
from hindsight_memory.core.support import believed, weighed


def retold(
    conclusion: Memory, rest: Sequence[Memory], *, is_weighable: bool, new_id: str, now: datetime
) -> Memory | None:
    """``conclusion`` as a memory of its own, without a history that quotes what was purged; None
    where the episodes that are left do not show it.

    rest: the episodes that it names and that are still there. is_weighable: whether its status
    follows them, and is not somebody's decision, which stays.
    """
    evidence = [each for each in rest if each.id in conclusion.evidence]
    against = [each for each in rest if each.id in conclusion.counter_examples]
    pattern = pattern_of(conclusion)
    told = None if pattern is None else _told_by(pattern, in_order(evidence))
    if told is None:
        return None
    note: dict[str, Json] = {
        **(noted(conclusion) or {}),
        "facts": dict(told.facts),
        "quotes": lessons.quotes([*evidence, *against]),
        **({} if is_weighable else {DECIDED: True}),
    }
    after = replace(
        conclusion,
        id=new_id,
        version=1,
        content=worded(told),
        evidence=tuple(each.id for each in evidence),
        counter_examples=tuple(each.id for each in against),
        metadata={**conclusion.metadata, KEY: note},
    )
    if not is_weighable:
        return after
    return replace(believed(after, weighed(after, evidence, against), now), version=1)


def _told_by(pattern: Pattern, episodes: Sequence[Memory]) -> Pattern | None:
    """The same pattern as these episodes alone show it."""
    seen = (each for session in lessons.sessions(episodes) for each in lessons.patterns(session))
    same = next((each for each in seen if each.key == pattern.key), None)
    return None if same is None else replace(pattern, facts=same.facts)
