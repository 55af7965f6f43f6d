"""By what keys the memories are found that may say the same as another one, or the opposite."""

from hindsight_memory.core.conflict import slots
from hindsight_memory.core.identity import digest
from hindsight_memory.core.model import Memory
from hindsight_memory.core.values import canonical, subject


def keys(memory: Memory) -> tuple[str, ...]:
    """Two memories of one user and project that share a key are worth comparing.

    One for the statement as such, one for the subject with its tags where there are any, and one
    for each slot that it fills: with the value where several can be true at once, and then one for
    the value alone too, since what ends a habit does not say whether it was a liking.
    """
    found = [digest(memory.project, "statement", *canonical(memory.content))]
    about = subject(memory.content)
    if about and memory.tags:
        found.append(digest(memory.project, "tags", about, *sorted(memory.tags)))
    for slot in slots(memory.content):
        value = () if slot.is_single_valued else (slot.value,)
        found.append(digest(memory.project, "slot", slot.subject, slot.attribute, *value))
        if slot.value and not slot.is_single_valued:
            found.append(digest(memory.project, "value", slot.subject, slot.value))
    return tuple(dict.fromkeys(found))
