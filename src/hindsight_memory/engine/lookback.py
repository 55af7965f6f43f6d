"""One look back: fetch the episodes -> see patterns and weigh them (pure) -> apply."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from datetime import datetime

from hindsight_memory.core import rejections
from hindsight_memory.core.changes import Receipt
from hindsight_memory.core.induction import RULES
from hindsight_memory.core.model import Memory, Outcome, Related, Scope
from hindsight_memory.core.planning import Plan, plan_write
from hindsight_memory.core.retrospection import lessons, relating
from hindsight_memory.core.retrospection.lessons import Change, Learned
from hindsight_memory.core.retrospection.model import (
    Bearing,
    Pattern,
    Session,
    key_of,
    pattern_of,
)
from hindsight_memory.core.retrospection.relating import Proposal
from hindsight_memory.core.sessions import SessionState
from hindsight_memory.core.support import RETROSPECTED, is_weighable, stands
from hindsight_memory.engine import cascade
from hindsight_memory.engine.lived import Past
from hindsight_memory.engine.parts import Parts
from hindsight_memory.engine.phrasing import Phraser
from hindsight_memory.engine.sessions import RETROSPECTION
from hindsight_memory.errors import Conflict

UNDECIDED = 20
"""Patterns of one session that are looked for elsewhere: a session of failures has many."""

KIN = 32
"""How many memories about the same thing a preference or decision is compared with."""

REWORDED = "in the words of the model, which did not answer before"

TRIES = 5
"""How often a session is planned again after somebody changed what the plan rests on."""


@dataclass(slots=True)
class Looked:
    """What looking back came to. sessions, episodes: how many were looked at. unworded: for each
    lesson that waits for a model's words, why it did not answer.
    """

    sessions: int = 0
    episodes: int = 0
    lessons: list[Learned] = field(default_factory=list)
    proposals: list[Proposal] = field(default_factory=list)
    overtaken: int = 0
    unworded: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Lookback:
    """One look back. planned: what a dry run would have written by now, by the key of its pattern,
    so that it sees what a real one sees.
    """

    parts: Parts
    past: Past
    word: Phraser
    dry_run: bool = field(kw_only=True)
    looked: Looked = field(default_factory=Looked)
    planned: dict[str, Memory] = field(default_factory=dict)

    def look_at(self, session_id: str, project: str | None = None) -> None:
        """Raises Conflict after some tries."""
        for last in (*[False] * (TRIES - 1), True):
            try:
                self._look_at(session_id, project, None)
            except Conflict:
                if last:
                    raise
            else:
                return

    def look_at_again(self, state: SessionState) -> None:
        """What others overtake is left to the next run."""
        try:
            self._look_at(state.session_id, None, state)
        except Conflict:
            self.looked.overtaken += 1

    def relate(self) -> None:
        """What the conclusions have in common, a transaction for each kind."""
        now = self.parts.clock.now()
        found = self.past.conclusions(self.planned.values())
        linked = relating.links(found, now)
        by_id = {each.id: each for each in found} | {memory.id: memory for memory, _ in linked}
        seen = self._mark()
        learned = [
            (each, self._shared(each, by_id, now)) for each in relating.shared(by_id.values())
        ]
        puts = [(memory, proposal.reason) for memory, proposal in linked]
        self._apply(puts, [], seen=None, receipt=None)
        self._take([each for _, each in learned], seen=seen, receipt=None)
        self.looked.proposals += [proposal for _, proposal in linked]
        self.looked.proposals += [
            relating.proposal_of(each.memory, common.conclusions)
            for common, each in learned
            if each is not None and each.memory is not None and each.is_put
        ]

    def reword(self) -> None:
        """What a model could not word when it was formed, in its words, if it answers now."""
        if self.dry_run or not self.word.has_model:
            return
        for memory in filter(lessons.is_unworded, self.past.conclusions(())):
            pattern = pattern_of(memory)
            # What somebody edited since is said as they said it.
            if pattern is None or not stands(memory) or memory.content != self.word.word(pattern):
                continue
            content = self.word(pattern)
            if self.word.missed:
                return
            after = lessons.reworded(memory, content, self.parts.clock.now())
            try:
                self._apply([(after, REWORDED)], [], renewed=content != memory.content)
            except Conflict:
                self.looked.overtaken += 1

    def _mark(self) -> int:
        scope = self.past.scope
        return self.parts.store.mark(scope.tenant, str(scope.user_id))

    def _look_at(self, session_id: str, project: str | None, state: SessionState | None) -> None:
        seen = self._mark()
        episodes = self.past.episodes(session_id, project)
        shown = self.past.shown(session_id)
        learned: list[Learned | None] = []
        for session in lessons.sessions(episodes):
            learned += self._learned(session, shown)
        receipt = None if state is None else RETROSPECTION.receipt(self.past.scope, state)
        self._take(learned, seen=seen, receipt=receipt)
        self.looked.sessions += 1
        self.looked.episodes += len(episodes)

    def _learned(self, session: Session, shown: Mapping[str, datetime]) -> Iterator[Learned | None]:
        found = {pattern.key: pattern for pattern in lessons.patterns(session)}
        known = self.past.known(session, found.values(), self.planned.values())
        explained: set[str] = set()
        for key, pattern in _patterns_of(known).items():
            memory = known[key]
            if not (memory.is_forgotten or memory.is_superseded):
                learned = self._strengthened(memory, pattern, session, shown)
                explained |= lessons.explained(memory, learned)
                yield learned
            elif key in found:
                why = _why_gone(memory)
                yield Learned(change=Change.LEFT, pattern=pattern, reason=why, before=memory)
        undecided = UNDECIDED
        for pattern in (found[key] for key in found if key not in known):
            undecided -= 1
            learned = self._new(pattern, session, explained, looks_around=undecided >= 0)
            explained |= lessons.explained(None, learned)
            yield learned

    def _new(
        self, pattern: Pattern, session: Session, explained: AbstractSet[str], *, looks_around: bool
    ) -> Learned | None:
        """explained: episodes that conclusions rest on, or that speak against one."""
        if why := lessons.refused(pattern):
            return Learned(change=Change.LEFT, pattern=pattern, reason=why)
        now = self.parts.clock.now()
        found = lessons.bearing(pattern, session.episodes)
        if pattern.kind == "failure" and {each.id for each in found.supports} <= explained:
            return None
        learned = self._formed(pattern, found, now)
        if learned.change is Change.PENDING and looks_around:
            episodes = [*session.episodes, *self.past.elsewhere(pattern, session)]
            found = lessons.bearing(pattern, episodes)
            learned = self._formed(lessons.retold(pattern, found.supports), found, now)
        # Of a call that failed once there is nothing to tell.
        is_news = learned.change is not Change.PENDING or pattern.kind != "failure"
        return learned if is_news else None

    def _formed(self, pattern: Pattern, bearing: Bearing, now: datetime) -> Learned:
        learned = lessons.formed(
            pattern,
            bearing,
            word=self.word,
            tenant=self.past.scope.tenant,
            user_id=str(self.past.scope.user_id),
            new_id=self.parts.ids.new(now),
            now=now,
        )
        memory = learned.memory
        if memory is None:
            return learned
        if pattern.key in self.word.missed:
            memory = lessons.unworded(memory)
        return self._admitted(replace(learned, memory=memory), memory)

    def _admitted(self, learned: Learned, memory: Memory) -> Learned:
        """Nothing that was rejected, and nothing that is remembered already."""
        store, key = self.parts.store, rejections.key(memory)
        rejected = store.rejections(memory.tenant, memory.user_id, [key])
        twin = store.same_content(memory)
        why = [
            rejections.told(each) for each in rejected if not rejections.may_return(each, memory)
        ]
        plan = self._planned(memory, learned.pattern)
        if twin is None and plan is not None and plan.outcome is Outcome.MERGED:
            twin = plan.memory
        if twin is not None:
            why.append(f"it is remembered already as {twin.id!r}")
        if not why:
            return learned
        return Learned(change=Change.LEFT, pattern=learned.pattern, reason=why[0], before=twin)

    def _strengthened(
        self, memory: Memory, pattern: Pattern, session: Session, shown: Mapping[str, datetime]
    ) -> Learned | None:
        everyone = self.past.everyone
        named = self.parts.store.get(everyone, [*memory.evidence, *memory.counter_examples])
        return lessons.strengthened(
            memory,
            pattern,
            lessons.bearing(pattern, [*named, *session.episodes]),
            named=named,
            injected=_prompted(session, [memory.id, *memory.evidence], shown),
            is_weighable=is_weighable(memory, self.parts.store.history(everyone, memory.id)),
            now=self.parts.clock.now(),
        )

    def _shared(
        self, common: relating.Shared, by_id: Mapping[str, Memory], now: datetime
    ) -> Learned | None:
        """A conclusion from several, on the episodes of all of them."""
        everyone = self.past.everyone
        supports = {name for each in common.conclusions for name in each.evidence}
        against = {name for each in common.conclusions for name in each.counter_examples}
        bearing = Bearing(
            supports=tuple(filter(lessons.bears, self.parts.store.get(everyone, sorted(supports)))),
            against=tuple(filter(lessons.bears, self.parts.store.get(everyone, sorted(against)))),
        )
        known = next(
            (each for each in by_id.values() if key_of(each) == common.pattern.key),
            self.planned.get(common.pattern.key),
        )
        if known is None:
            return self._formed(common.pattern, bearing, now)
        if known.is_forgotten or known.is_superseded:
            return None
        named = self.parts.store.get(everyone, [*known.evidence, *known.counter_examples])
        return lessons.strengthened(
            known,
            common.pattern,
            bearing,
            named=named,
            injected=(),
            is_weighable=is_weighable(known, self.parts.store.history(everyone, known.id)),
            now=now,
        )

    def _take(
        self, learned: Iterable[Learned | None], *, seen: int, receipt: Receipt | None
    ) -> None:
        puts: list[tuple[Memory, str]] = []
        refuted: list[Memory] = []
        told: list[Learned] = []
        for each in filter(None, learned):
            plan = None
            if each.memory is not None and each.before is None:
                plan = self._planned(each.memory, each.pattern)
            if plan is not None:
                told.append(replace(each, memory=plan.memory))
                puts += [
                    (memory, each.reason if memory.id == plan.memory.id else plan.record)
                    for memory in plan.puts
                ]
                refuted += plan.refuted
            else:
                told.append(each)
                puts += [(each.memory, each.reason)] if each.memory and each.is_put else []
        self._apply(puts, refuted, seen=seen, receipt=receipt)
        self.planned |= {key_of(memory): memory for memory, _ in puts if self.dry_run}
        self.looked.lessons += told
        self.looked.unworded += [
            self.word.missed[each.pattern.key]
            for each in told
            if each.before is None and each.memory is not None and lessons.is_unworded(each.memory)
        ]

    def _planned(self, memory: Memory, pattern: Pattern) -> Plan | None:
        """What a new preference or decision does to others, by the rules of any write: they may
        contradict each other. None for what states nothing of the kind.
        """
        if not RULES[pattern.kind].is_statement:
            return None
        everyone = Scope(memory.tenant, memory.user_id, None)
        kin = self.parts.store.kin(everyone, memory, limit=KIN)
        return plan_write(memory, [Related(memory=each) for each in kin], replaced=None)

    def _apply(
        self,
        puts: Sequence[tuple[Memory, str]],
        refuted: Sequence[Memory],
        *,
        seen: int | None = None,
        receipt: Receipt | None = None,
        renewed: bool = False,
    ) -> None:
        """renewed: whether the contents of known ones are new, too."""
        if self.dry_run or not (puts or receipt):
            return
        now = self.parts.clock.now()
        new = tuple(memory for memory, _ in puts if memory.version == 1 or renewed)
        # At once, as in any write: the next session may begin before anything behind has run.
        vectors = (self.parts.meaning.of_content(each.id, each.content) for each in new)
        changes = self.parts.changes(
            self.past.scope,
            RETROSPECTED,
            "",
            at=now,
            puts=tuple(memory for memory, _ in puts),
            renewed=new,
            passages=tuple(filter(None, vectors)),
        )
        whole = replace(
            changes,
            notes={memory.id: replace(changes.note, reason=reason) for memory, reason in puts},
            seen=seen,
            receipt=receipt,
            rejections=tuple(
                rejections.rejection(each, trust=each.trust, at=now) for each in refuted
            ),
        )
        cascade.apply(self.parts, whole)


def _patterns_of(known: Mapping[str, Memory]) -> dict[str, Pattern]:
    read = ((key, pattern_of(memory)) for key, memory in known.items())
    return {key: pattern for key, pattern in read if pattern is not None}


def _why_gone(memory: Memory) -> str:
    if memory.is_forgotten:
        return f"it was known as {memory.id!r}, and forgotten; restore that one to have it back"
    return f"it was known as {memory.id!r}, which was replaced or rejected"


def _prompted(session: Session, ids: Iterable[str], shown: Mapping[str, datetime]) -> set[str]:
    """The episodes of ``session`` since any of these memories was shown in it: what was then done
    may have been done because of that. Advice quotes episodes, too.
    """
    since = min((shown[each] for each in ids if each in shown), default=None)
    return {each.id for each in session.episodes if since is not None and each.happened_at >= since}
