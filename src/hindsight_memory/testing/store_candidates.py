"""What a store finds for a query: by vector, by words, with evidence, statistics and neighbours."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest

from hindsight_memory.core.model import Memory, Scope, Tier, Vector, Visibility
from hindsight_memory.core.policy import MemoryType, Status
from hindsight_memory.core.ports import Store
from hindsight_memory.core.retrieval import Evidence, Filter, Found
from hindsight_memory.testing.samples import (
    ANN,
    BOB,
    EAST,
    NOON,
    NORTH,
    WEST,
    a_memory,
    changed,
    embedded,
    put,
    some_changes,
    toward,
)

NOT_WANTED: dict[str, tuple[dict[str, Any], Filter]] = {
    "type": (
        {"memory_type": MemoryType.EVENT},
        Filter(memory_types=frozenset({MemoryType.FACT})),
    ),
    "status": (
        {"status": Status.QUARANTINED},
        Filter(statuses=frozenset({Status.TENTATIVE})),
    ),
    "tag": ({"tags": frozenset({"b"})}, Filter(tags=frozenset({"a"}))),
    "project": ({"project": "app"}, Filter(project="web")),
    "session": ({"session_id": "s2"}, Filter(session_id="s1")),
    "tier": ({"tier": Tier.COLD}, Filter()),
    "superseded": ({"retired_at": NOON}, Filter()),
    "forgotten": ({"deleted_at": NOON}, Filter()),
    "another user": ({"user_id": "bob"}, Filter()),
    "another agent's inference": ({"agent_id": "bot"}, Filter(tentative_of="ada")),
}
WANTED = {"tags": frozenset({"a"}), "project": "web", "session_id": "s1"}


class Candidates:
    """``settle`` is StoreSuite's."""

    def settle(self) -> None:
        raise NotImplementedError

    def find(
        self,
        store: Store,
        terms: Sequence[str] = (),
        vector: Vector | None = None,
        *,
        scope: Scope = ANN,
        where: Filter = Filter(),  # noqa: B008  # immutable
        limit: int = 10,
    ) -> Found:
        self.settle()
        return store.candidates(scope, terms, vector, where=where, limit=limit)

    def test_the_nearest_are_found_by_vector(self, store: Store) -> None:
        for memory_id, vector in (("1", NORTH), ("2", EAST), ("3", toward(0.6)), ("4", WEST)):
            put(store, a_memory(memory_id), vector=vector)
        found = self.find(store, vector=EAST, limit=2)
        assert [e.id for e in found.evidence] == ["2", "3"]
        assert [e.similarity for e in found.evidence] == pytest.approx([1.0, 0.6], abs=1e-6)

    def test_those_with_more_of_the_words_are_found_by_words(self, store: Store) -> None:
        put(store, a_memory("1", content="green tea"), vector=None)
        put(store, a_memory("2", content="black coffee"), vector=None)
        put(store, a_memory("3", content="green paint"), vector=None)
        assert ids(self.find(store, ["green", "tea"], limit=1)) == ["1"]
        assert ids(self.find(store, ["green", "tea"], limit=9)) == ["1", "3"]
        assert ids(self.find(store, ["milk"])) == []

    def test_chinese_words_are_found(self, store: Store) -> None:
        put(store, a_memory("1"), vector=None, terms=["花生", "过敏", "w过敏", "敏"])
        put(store, a_memory("2"), vector=None, terms=["花", "喝茶"])
        assert ids(self.find(store, ["过敏"])) == ["1"]
        assert ids(self.find(store, ["花"])) == ["2"]

    def test_what_is_found_either_way_carries_all_evidence(self, store: Store) -> None:
        put(store, a_memory("far", content="tea tea pot"), vector=toward(-0.5))
        put(store, a_memory("near", content="coffee"), vector=toward(0.8))
        found = self.find(store, ["tea", "milk"], EAST, limit=1)
        far, near = found.evidence
        assert (far.id, far.term_counts, far.term_total) == ("far", {"tea": 2}, 3)
        assert far.similarity == pytest.approx(-0.5, abs=1e-6)
        assert (near.id, near.term_counts, near.term_total) == ("near", {}, 1)
        assert near.similarity == pytest.approx(0.8, abs=1e-6)

    def test_without_a_vector_there_is_no_similarity(self, store: Store) -> None:
        put(store, a_memory("1", content="tea"), vector=None)
        put(store, a_memory("2", content="tea"[::-1]), vector=EAST)
        assert self.find(store, ["tea"], EAST).evidence[0].similarity is None
        assert self.find(store, ["aet"]).evidence[0].similarity is None
        assert ids(self.find(store, vector=EAST)) == ["2"]

    def test_nothing_asked_finds_nothing_but_statistics(self, store: Store) -> None:
        put(store, a_memory())
        found = self.find(store)
        assert found.evidence == ()
        assert found.statistics.documents == 1

    def test_an_unknown_user_has_nothing(self, store: Store) -> None:
        put(store, a_memory(content="tea"))
        assert self.find(store, ["tea"], EAST, scope=BOB) == Found()
        assert ids(self.find(store, ["tea"], EAST)) == ["m1"]

    def test_at_most_the_limit_comes_each_way_in_order_of_id(self, store: Store) -> None:
        for number in range(30):
            name = f"{number:02}"
            put(store, a_memory(name, content=f"w{name} tea"), vector=toward(1 - number / 30))
        assert ids(self.find(store, vector=EAST, limit=7)) == [f"{n:02}" for n in range(7)]
        assert ids(self.find(store, ["tea"], limit=7)) == [f"{n:02}" for n in range(7)]
        both = ids(self.find(store, ["w29"], EAST, limit=7))
        assert both == [*(f"{n:02}" for n in range(7)), "29"]

    def test_the_limit_counts_memories_not_passages(self, store: Store) -> None:
        long, short = a_memory("long"), a_memory("short")
        passages = (embedded(long, *[EAST] * 20), embedded(short, NORTH))
        store.apply(some_changes(long, short, passages=passages))
        assert ids(self.find(store, vector=EAST, limit=2)) == ["long", "short"]

    @pytest.mark.parametrize(("state", "where"), NOT_WANTED.values(), ids=NOT_WANTED)
    def test_filters_come_before_the_cut(
        self, store: Store, state: dict[str, Any], where: Filter
    ) -> None:
        nearer = [a_memory(f"n{n}", content=f"tea tea {n}", **WANTED | state) for n in range(100)]
        put(store, *nearer, vector=EAST)
        put(store, a_memory("farther", content="one tea and much else", **WANTED), vector=NORTH)
        assert ids(self.find(store, vector=EAST, where=where, limit=3)) == ["farther"]
        assert ids(self.find(store, ["tea"], where=where, limit=3)) == ["farther"]

    def test_superseded_ones_that_would_be_among_the_best_are_counted(self, store: Store) -> None:
        gone = {"retired_at": NOON, "superseded_by": "new"}
        for number, state in enumerate([gone, {}, gone, {}]):
            one = a_memory(str(number), content=f"tea {number}", **state)
            put(store, one, vector=toward(1 - number / 10))
        put(store, a_memory("forgotten", content="tea", deleted_at=NOON, **gone))
        put(store, a_memory("bobs", user_id="bob", content="tea", **gone))
        found = [self.find(store, ["tea"], EAST), self.find(store, vector=EAST, limit=2)]
        assert [each.suppressed for each in found] == [2, 1]
        asked = self.find(store, ["tea"], EAST, where=Filter(superseded=True), limit=9)
        assert (ids(asked), asked.suppressed) == (["0", "1", "2", "3"], 0)

    def test_what_is_suppressed_is_counted_behind_a_narrow_filter(self, store: Store) -> None:
        """Where those that are wanted are far down, and found the other way round."""
        for number in range(150):
            put(store, a_memory(f"m{number}", content=f"tea {number}"), vector=EAST)
        for name, state in {"old": {"retired_at": NOON}, "new": {}}.items():
            narrow = a_memory(name, content=f"tea {name}", session_id="s1", **state)
            put(store, narrow, vector=WEST)
        found = self.find(store, ["tea"], EAST, where=Filter(session_id="s1"), limit=5)
        assert (ids(found), found.suppressed) == (["new"], 1)

    def test_what_was_current_then_is_not_suppressed(self, store: Store) -> None:
        put(store, a_memory("old", content="tea", retired_at=NOON + timedelta(days=2)))
        for days, suppressed in {1: 0, 3: 1}.items():
            then = Filter(known_at=NOON + timedelta(days=days))
            assert self.find(store, ["tea"], where=then).suppressed == suppressed

    def test_where_nothing_matches_nothing_is_found(self, store: Store) -> None:
        put(store, *(a_memory(str(number), content=f"tea {number}") for number in range(100)))
        for tag_match in ("any", "all"):
            where = Filter(tags=frozenset({"absent"}), tag_match=tag_match)
            assert self.find(store, ["tea"], EAST, where=where, limit=5).evidence == ()

    def test_a_thousand_words_may_be_asked_for(self, store: Store) -> None:
        put(store, a_memory(content="tea"), vector=None)
        assert ids(self.find(store, [*(f"w{n}" for n in range(10_000)), "tea"])) == ["m1"]

    def test_a_memory_without_words_has_no_terms(self, store: Store) -> None:
        put(store, a_memory(content="！？"), terms=[])
        [evidence] = self.find(store, ["tea"], EAST).evidence
        assert (evidence.term_counts, evidence.term_total) == ({}, 0)

    def test_statistics_are_of_the_users_documents(self, store: Store) -> None:
        put(store, a_memory("1", content="green tea"), vector=None)
        put(store, a_memory("2", content="tea tea pot cup"), vector=None)
        put(store, *(a_memory(f"b{n}", content=f"tea {n}", user_id="bob") for n in range(5)))
        put(store, a_memory("other", content="tea", tenant="other"))
        statistics = self.find(store, ["tea", "green", "milk"]).statistics
        assert (statistics.documents, statistics.average_terms) == (2, 3.0)
        assert statistics.document_counts == {"tea": 2, "green": 1}

    def test_statistics_follow_changes_of_content(self, store: Store) -> None:
        put(store, a_memory(content="green tea"), a_memory("m2", content="tea"))
        put(store, changed(a_memory(), content="black coffee to go"))
        statistics = self.find(store, ["tea", "green", "black"]).statistics
        assert (statistics.documents, statistics.average_terms) == (2, 2.5)
        assert statistics.document_counts == {"tea": 1, "black": 1}

    def test_changed_content_is_found_by_its_new_words_and_vector_only(self, store: Store) -> None:
        put(store, a_memory(content="tea"), vector=EAST)
        put(store, changed(a_memory(), content="coffee"), vector=NORTH)
        assert ids(self.find(store, ["tea"])) == []
        [evidence] = self.find(store, ["coffee"], EAST).evidence
        assert evidence.term_counts == {"coffee": 1}
        assert evidence.similarity == pytest.approx(0.0, abs=1e-6)

    def test_what_is_changed_elsewhere_than_in_content_stays_indexed(self, store: Store) -> None:
        memory = a_memory(content="tea")
        put(store, memory, vector=toward(0.6))
        store.apply(some_changes(changed(memory, importance=0.9), terms={}))
        [evidence] = self.find(store, ["tea"], EAST).evidence
        assert evidence.term_counts == {"tea": 1}
        assert evidence.similarity == pytest.approx(0.6, abs=1e-6)

    def test_neighbours_in_a_session_are_named_the_nearest_first(self, store: Store) -> None:
        put_session(store, *"1234567")
        [middle] = found_by_word(self.find(store, ["w4"]), "w4")
        assert (middle.earlier, middle.later) == (("3", "2"), ("5", "6"))
        [first] = found_by_word(self.find(store, ["w1"]), "w1")
        assert (first.earlier, first.later) == ((), ("2", "3"))

    def test_neighbours_are_named_whether_or_not_they_were_found(self, store: Store) -> None:
        put_session(store, *"12345", words=["tea", "tea", "pot", "tea", "tea"])
        wanted = {e.id: (e.earlier, e.later) for e in self.find(store, ["tea"], limit=1).evidence}
        assert len(wanted) in {2, 3}
        for memory_id, around in wanted.items():
            place = "12345".index(memory_id)
            earlier = tuple(reversed("12345"[max(0, place - 2) : place]))
            assert around == (earlier, tuple("12345"[place + 1 : place + 3]))

    def test_the_next_neighbours_of_the_best_come_along(self, store: Store) -> None:
        put_session(store, *"12345")
        by_words, by_vector = self.find(store, ["w3"]), self.find(store, vector=EAST, limit=1)
        assert ids(by_words) == ["2", "3", "4"]
        assert [e.term_counts for e in by_words.evidence] == [{}, {"w3": 1}, {}]
        assert len(ids(by_vector)) in {2, 3}

    def test_what_has_no_session_has_no_neighbours(self, store: Store) -> None:
        put_session(store, *"123", session_id="")
        [evidence] = self.find(store, ["w2"]).evidence
        assert (evidence.id, evidence.earlier, evidence.later) == ("2", (), ())

    @pytest.mark.parametrize(
        "elsewhere",
        [
            {"session_id": "s2"},
            {"user_id": "bob"},
            {"agent_id": "bot", "visibility": Visibility.PRIVATE},
            {"project": "app"},
            {"deleted_at": NOON},
        ],
        ids=["session", "user", "private", "filter", "forgotten"],
    )
    def test_neighbours_are_what_the_search_may_see(
        self, store: Store, elsewhere: dict[str, Any]
    ) -> None:
        put_session(store, "1", "5")
        put_session(store, "2", "4", **elsewhere)
        put_session(store, "3")
        where = Filter(project="web")
        [found] = found_by_word(self.find(store, ["w3"], where=where), "w3")
        assert (found.earlier, found.later) == (("1",), ("5",))

    def test_a_question_is_known_by_its_last_character(self, store: Store) -> None:
        contents = ["Where?", "在哪里？ \n", "Really? Yes.", "好"]
        put(store, *(a_memory(str(n), content=text) for n, text in enumerate(contents)))
        found = self.find(store, vector=EAST).evidence
        assert [e.is_question for e in found] == [True, True, False, False]

    def test_typicality_is_nearness_to_the_mean_of_the_users_vectors(self, store: Store) -> None:
        put(store, a_memory("1"), vector=EAST)
        put(store, a_memory("2"), vector=NORTH)
        put(store, *(a_memory(f"b{n}", user_id="bob") for n in range(9)), vector=WEST)
        found = self.find(store, vector=EAST).evidence
        assert [e.typicality for e in found] == pytest.approx([0.5**0.5, 0.5**0.5], abs=1e-6)
        put(store, changed(a_memory("2"), content="new"), vector=EAST)
        found = self.find(store, vector=EAST).evidence
        assert [e.typicality for e in found] == pytest.approx([1.0, 1.0], abs=1e-6)


def ids(found: Found) -> list[str]:
    return [evidence.id for evidence in found.evidence]


def found_by_word(found: Found, word: str) -> list[Evidence]:
    return [evidence for evidence in found.evidence if word in evidence.term_counts]


def put_session(
    store: Store, *names: str, words: Sequence[str] = (), session_id: str = "s1", **state: Any
) -> list[Memory]:
    """Memories of one session, each with a word of its own unless ``words`` are given."""
    memories = [
        a_memory(name, content=f"w{name}", session_id=session_id, **state) for name in names
    ]
    for memory, word in zip(memories, words or [m.content for m in memories], strict=True):
        put(store, memory, terms=[word])
    return memories
