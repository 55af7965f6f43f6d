"""Verifying one memory: looking at it from every side, and settling what was found."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from types import MappingProxyType
from typing import Literal, TypeAlias

from hindsight_memory.core import rejections, verification
from hindsight_memory.core.model import Edit, Memory, Scope
from hindsight_memory.core.policy import TRUST, Source, Status
from hindsight_memory.core.probes import Observation, Seen, probe_of
from hindsight_memory.core.verification import Check, Standing
from hindsight_memory.engine.cascade import apply
from hindsight_memory.engine.changing import Editor
from hindsight_memory.engine.parts import Parts
from hindsight_memory.errors import InvalidInput, NotFound

KIN = 32
"""How many memories about the same thing are compared with it, as at a write."""

Action: TypeAlias = Literal["confirm", "reject", "dispute", "restore"]
Outcome: TypeAlias = Literal["checked", "confirmed", "rejected", "disputed", "restored"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    """What was done, and how the memory stands after it. memory: as it is now."""

    outcome: Outcome
    memory: Memory
    verdict: Standing
    reasons: tuple[str, ...]
    checks: tuple[Check, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """Whose word an action is, and why. is_person: of a person, and not of an agent."""

    scope: Scope
    reason: str
    is_person: bool
    now: datetime

    @property
    def trust(self) -> float:
        return TRUST[Source.USER_CONFIRMED if self.is_person else Source.AGENT_INFERENCE].trust


class Verifier:
    """Looks at memories by their exact ids, and settles them. Safe to share between threads."""

    def __init__(self, parts: Parts, editor: Editor) -> None:
        self._parts = parts
        self._editor = editor

    def check(self, scope: Scope, memory_id: str) -> Verified:
        """How the memory stands; nothing is changed, also where something is found.

        Raises NotFound. A forgotten memory is looked at like any other.
        """
        memory = self._parts.find(scope, memory_id)
        return self._verified("checked", memory, ())

    def settle(
        self, scope: Scope, memory_id: str, action: Action, *, reason: str, is_person: bool
    ) -> Verified:
        """Do ``action``, with ``reason`` in the history, and look at the memory again.

        A rejection by a lower trust than the memory's only disputes it, and says so. Raises
        NotFound, and InvalidInput for what this caller may not, or what the memory's state rules
        out.
        """
        memory = self._parts.find(scope, memory_id)
        now = self._parts.clock.now()
        wish = Wish(scope=scope, reason=reason, is_person=is_person, now=now)
        outcome, told = self._actions[action](self, memory, wish)
        return self._verified(outcome, self._parts.find(scope, memory_id), told)

    def checks(self, memory: Memory) -> tuple[Check, ...]:
        """All of them, in the order in which they count."""
        store, everyone = self._parts.store, Scope(memory.tenant, None, None)
        history = store.history(everyone, memory.id)
        return (
            verification.integrity(memory, history, store.integrity(memory.tenant, memory.id)),
            verification.validity(memory, self._parts.clock.now()),
            verification.evidence(memory, store.get(everyone, memory.evidence)),
            verification.conflicts(memory, self.others(memory)),
            *verification.probe(self.observed(memory)),
        )

    def observed(self, memory: Memory) -> Observation | None:
        """What its probe says now; None for a memory without one."""
        probe = probe_of(memory)
        if probe is None or self._parts.prober is None:
            return None
        return self._parts.prober.observe(probe, self._parts.clock.now())

    def others(self, memory: Memory) -> list[Memory]:
        """What may say otherwise: its counter-examples, and its kin."""
        everyone = Scope(memory.tenant, memory.user_id, None)
        store = self._parts.store
        named = store.get(everyone, memory.counter_examples)
        kin = store.kin(everyone, memory, limit=KIN)
        return list({each.id: each for each in (*named, *kin)}.values())

    def _verified(self, outcome: Outcome, memory: Memory, told: tuple[str, ...]) -> Verified:
        checks = self.checks(memory)
        return Verified(
            outcome=outcome,
            memory=memory,
            verdict=verification.verdict(memory, checks),
            reasons=(*told, *verification.reasons(memory, checks)),
            checks=checks,
        )

    def _confirm(self, memory: Memory, wish: Wish) -> tuple[Outcome, tuple[str, ...]]:
        _refuse_gone(memory)
        after = verification.confirmed(memory, wish.now, by_person=wish.is_person)
        seen = self.observed(memory)
        if seen is None or seen.seen is not Seen.CHANGED:
            self._put(after, "confirmed", wish)
            return "confirmed", ()
        # Or else the next look would dispute what somebody has just confirmed.
        self._put(verification.without_probe(after), "confirmed", wish)
        return "confirmed", (f"its probe said otherwise and was removed: {seen.detail}",)

    def _dispute(self, memory: Memory, wish: Wish) -> tuple[Outcome, tuple[str, ...]]:
        _refuse_gone(memory)
        after = verification.disputed(memory, wish.now, by_person=wish.is_person)
        self._put(after, "disputed", wish)
        return "disputed", ()

    def _reject(self, memory: Memory, wish: Wish) -> tuple[Outcome, tuple[str, ...]]:
        if memory.is_forgotten:
            raise NotFound(f"memory {memory.id!r} is forgotten; restore it first")
        if wish.trust < memory.trust:
            outcome, _ = self._dispute(memory, wish)
            told = f"not rejected: that takes a trust of {memory.trust}, and yours is {wish.trust}"
            return outcome, (f"{told}; it is disputed until the user or a person decides",)
        same = self._same(memory, wish.scope)
        if better := [each for each in same if wish.trust < each.trust]:
            raise InvalidInput(
                f"memory {better[0].id!r} says the same and comes from a better source; look at it"
            )
        gone = [verification.rejected(each, wish.now) for each in (memory, *same)]
        self._put(gone[0], "rejected", wish, *gone[1:], is_untrue=True)
        return "rejected", ()

    def _same(self, memory: Memory, scope: Scope) -> list[Memory]:
        """Other current memories that say what ``memory`` says, in any spelling."""
        key = rejections.key(memory)
        kin = self._parts.store.kin(replace(scope, user_id=memory.user_id), memory, limit=KIN)
        alike = [each for each in kin if each.layer is memory.layer]
        return [each for each in alike if rejections.key(each) == key]

    def _restore(self, memory: Memory, wish: Wish) -> tuple[Outcome, tuple[str, ...]]:
        """Undoes whatever took it out of use; of one that is in use, its dispute."""
        if memory.status is Status.DISPUTED and not (memory.is_forgotten or memory.is_superseded):
            history = self._parts.store.history(wish.scope, memory.id)
            self._put(verification.undisputed(memory, history, wish.now), "restored", wish)
        else:
            edit = Edit(
                memory_id=memory.id, restore=True, reason=wish.reason, is_person=wish.is_person
            )
            self._editor.update(wish.scope, edit)
        return "restored", ()

    def _put(
        self,
        after: Memory,
        operation: str,
        wish: Wish,
        *others: Memory,
        is_untrue: bool = False,
    ) -> None:
        """With what rests on it, and a tombstone for what was found to be untrue."""
        changes = self._parts.changes(
            wish.scope, operation, wish.reason, at=wish.now, puts=(after, *others)
        )
        tombstone = rejections.rejection(after, trust=wish.trust, at=wish.now)
        apply(self._parts, replace(changes, rejections=(tombstone,) if is_untrue else ()))

    _actions: Mapping[
        Action, Callable[["Verifier", Memory, Wish], tuple[Outcome, tuple[str, ...]]]
    ] = MappingProxyType(
        {"confirm": _confirm, "reject": _reject, "dispute": _dispute, "restore": _restore}
    )


def _refuse_gone(memory: Memory) -> None:
    if memory.is_forgotten:
        raise NotFound(f"memory {memory.id!r} is forgotten; restore it first")
    if memory.is_superseded:
        by = f" by {memory.superseded_by!r}" if memory.superseded_by else ""
        raise InvalidInput(f"memory {memory.id!r} was replaced{by}; restore it first")
