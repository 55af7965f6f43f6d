"""What a store gives back: by id, page by page, by kin, by content; histories and receipts."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hindsight_memory.core.changes import Revision
from hindsight_memory.core.model import Event, Layer, Memory, Outcome, Scope, Tier, Visibility
from hindsight_memory.core.policy import MemoryType, Source, Status
from hindsight_memory.core.ports import Store
from hindsight_memory.core.retrieval import Filter
from hindsight_memory.errors import Conflict
from hindsight_memory.testing.samples import (
    ALL,
    ANN,
    BOB,
    NOON,
    a_memory,
    a_recall,
    a_receipt,
    changed,
    fresh_tenant,
    memories,
    on_one_store,
    put,
    some_changes,
    superseded,
)

TEA = a_memory("probe", content="tea")
LATER = NOON + timedelta(days=1)

FULL = a_memory(
    project="web",
    session_id="s1",
    visibility=Visibility.PRIVATE,
    content="用户偏好用中文交流",
    layer=Layer.EPISODIC,
    memory_type=MemoryType.PREFERENCE,
    scene="conversation",
    tags=frozenset({"language", "语言"}),
    metadata={"nested": [1, 2.5, None, {"deep": "值"}]},
    related_ids=("x1", "x2"),
    event=Event(role="user", participants=("ann",), arguments={"a": 1}, outcome="failure"),
    subject="用户",
    status=Status.CONFIRMED,
    source=Source.USER_EXPLICIT,
    trust=0.9,
    confidence=0.95,
    importance=0.7,
    evidence=("x3",),
    counter_examples=("x4",),
    superseded_by="x5",
    supersedes="x6",
    valid_from=NOON,
    valid_to=LATER,
    retired_at=LATER,
    last_accessed_at=LATER,
    access_count=3,
    used_count=2,
    heat=1.2,
    tier=Tier.COLD,
    expires_at=LATER,
    deleted_at=LATER,
)
GONE: dict[str, dict[str, Any]] = {
    "retired": {"retired_at": NOON},
    "forgotten": {"deleted_at": NOON},
    "archived": {"tier": Tier.ARCHIVED},
}


class Reads:
    def test_get_returns_every_field_as_it_was_put(self, store: Store) -> None:
        put(store, FULL)
        assert store.get(ANN, ["m1"]) == [FULL]

    def test_a_replaced_memory_is_the_new_one_in_every_field(self, store: Store) -> None:
        put(store, a_memory())
        new = changed(FULL)
        put(store, new)
        assert store.get(ANN, ["m1"]) == [new]

    @on_one_store
    @given(data=st.data())
    def test_any_memory_comes_back_as_it_was(self, store: Store, data: st.DataObject) -> None:
        tenant = fresh_tenant()
        written = data.draw(memories(tenant))
        put(store, *written)
        assert store.get(Scope(tenant, None, None), ids(written)) == written

    def test_get_keeps_the_order_asked_and_leaves_out_unknown_ids(self, store: Store) -> None:
        one, two, three = (a_memory(name) for name in ("1", "2", "3"))
        put(store, one, two, three)
        assert store.get(ANN, ["3", "missing", "1", "2"]) == [three, one, two]
        assert store.get(ANN, []) == []

    def test_users_come_in_order_page_by_page(self, store: Store) -> None:
        for number, user_id in enumerate(("bob", "ann", "梅", "ann")):
            put(store, a_memory(str(number), user_id=user_id))
        put(store, a_memory("other", tenant="other", user_id="eve"))
        assert store.users("acme", after="", limit=2) == ["ann", "bob"]
        assert store.users("acme", after="bob", limit=2) == ["梅"]
        assert store.users("acme", after="梅", limit=2) == []

    @pytest.mark.parametrize("state", GONE.values(), ids=GONE)
    def test_get_asks_for_no_state(self, store: Store, state: dict[str, Any]) -> None:
        memory = a_memory(**state)
        put(store, memory)
        assert store.get(ANN, ["m1"]) == [memory]

    def test_pages_join_without_gap_or_overlap(self, store: Store) -> None:
        put(store, *(a_memory(str(number)) for number in range(1, 6)))
        assert ids(store.page(ANN, Filter(), before=None, limit=2)) == ["5", "4"]
        assert ids(store.page(ANN, Filter(), before="4", limit=2)) == ["3", "2"]
        assert ids(store.page(ANN, Filter(), before="2", limit=2)) == ["1"]
        assert store.page(ANN, Filter(), before="1", limit=2) == []

    def test_a_page_may_start_at_an_id_that_is_gone(self, store: Store) -> None:
        put(store, a_memory("1"), a_memory("3"))
        assert ids(store.page(ANN, Filter(), before="2", limit=5)) == ["1"]

    def test_a_page_counts_only_what_matches(self, store: Store) -> None:
        put(store, a_memory("1", project="web"), a_memory("2"), a_memory("3", project="app"))
        assert ids(store.page(ANN, Filter(project="web"), before=None, limit=2)) == ["2", "1"]

    @pytest.mark.parametrize("state", GONE.values(), ids=GONE)
    def test_a_page_shows_what_is_current_and_active(
        self, store: Store, state: dict[str, Any]
    ) -> None:
        put(store, a_memory("1"), a_memory("2", **state))
        assert ids(store.page(ANN, Filter(), before=None, limit=5)) == ["1"]

    def test_an_operator_pages_through_all_users(self, store: Store) -> None:
        put(store, a_memory("1"), a_memory("2", user_id="bob", visibility=Visibility.PRIVATE))
        assert ids(store.page(ALL, Filter(), before=None, limit=5)) == ["2", "1"]
        assert ids(store.page(BOB, Filter(), before=None, limit=5)) == ["2"]

    def test_every_memory_of_a_tenant_comes_once_whatever_its_state(self, store: Store) -> None:
        states: list[dict[str, Any]] = [{}, *GONE.values(), {"user_id": "bob"}]
        put(store, *(a_memory(str(number), **state) for number, state in enumerate(states)))
        put(store, a_memory("9", tenant="other"))
        assert ids(store.every("acme", after="", limit=3)) == ["0", "1", "2"]
        assert ids(store.every("acme", after="2", limit=3)) == ["3", "4"]
        assert store.every("acme", after="4", limit=3) == []

    def test_kin_are_of_exactly_this_project_newest_first_and_not_the_memory_itself(
        self, store: Store
    ) -> None:
        put(
            store,
            a_memory("1", content="Tea.", project="web"),
            a_memory("2", content="tea", project="web", tier=Tier.COLD),
            a_memory("3", content="tea"),
            a_memory("4", content="teas", project="web"),
        )
        assert ids(store.kin(ANN, TEA, limit=9)) == ["3"]
        assert ids(store.kin(ANN, replace(TEA, project="web"), limit=9)) == ["2", "1"]
        assert ids(store.kin(ANN, replace(TEA, project="web"), limit=1)) == ["2"]
        assert ids(store.kin(ANN, replace(TEA, id="3"), limit=9)) == []

    def test_past_kin_were_superseded_and_not_forgotten(self, store: Store) -> None:
        put(
            store,
            a_memory("1", content="tea", retired_at=LATER),
            a_memory("2", content="Tea.", retired_at=LATER, deleted_at=LATER),
            a_memory("3", content="tea", retired_at=LATER, project="web"),
            a_memory("4", content="coffee", retired_at=LATER),
            a_memory("5", content="TEA", retired_at=LATER, tier=Tier.COLD),
            a_memory("6", content="tea"),
        )
        assert ids(store.past_kin(ANN, TEA, limit=9)) == ["5", "1"]
        assert ids(store.past_kin(ANN, replace(TEA, id="1"), limit=9)) == ["5"]

    def test_the_same_subject_under_the_same_tags_is_kin(self, store: Store) -> None:
        tags = frozenset({"outage"})
        put(store, a_memory("1", content="The api broke on Monday", tags=tags))
        put(store, a_memory("2", content="The api broke on Tuesday"))
        other = a_memory("3", content="The api broke on Friday", tags=tags)
        assert ids(store.kin(ANN, other, limit=9)) == ["1"]
        store.apply(some_changes(changed(store.get(ANN, ["2"])[0], tags=tags)))
        assert ids(store.kin(ANN, other, limit=9)) == ["2", "1"]

    def test_another_value_of_the_same_slot_is_kin(self, store: Store) -> None:
        put(store, a_memory("1", content="The api listens on port 1"))
        put(store, a_memory("2", content="The web listens on port 1"))
        other = a_memory("3", content="The api listens on port 2")
        assert ids(store.kin(ANN, other, limit=9)) == ["1"]

    def test_what_ends_a_habit_is_kin_of_what_began_it(self, store: Store) -> None:
        put(store, a_memory("1", content="The user likes tea"))
        put(store, a_memory("2", content="我喜欢喝咖啡"))
        put(store, a_memory("3", content="The user likes coffee"))
        assert ids(store.kin(ANN, a_memory("9", content="The user gave up tea"), limit=9)) == ["1"]
        assert ids(store.kin(ANN, a_memory("9", content="我戒咖啡了"), limit=9)) == ["2"]

    def test_what_shares_a_slot_is_not_lost_among_those_that_share_tags(self, store: Store) -> None:
        tags = frozenset({"api"})
        put(store, a_memory("1", content="The api listens on port 1", tags=tags))
        put(store, *(a_memory(f"a{n}", content=f"The api broke {n}", tags=tags) for n in range(9)))
        other = a_memory("z", content="The api listens on port 2", tags=tags)
        assert ids(store.kin(ANN, other, limit=3)) == ["a8", "a7", "a6", "1"]

    @pytest.mark.parametrize("state", ["retired", "forgotten"])
    def test_kin_are_current(self, store: Store, state: str) -> None:
        put(store, a_memory("1", content="Tea!"), a_memory("2", content="tea", **GONE[state]))
        assert ids(store.kin(ANN, TEA, limit=9)) == ["1"]

    def test_a_plan_that_another_write_overtook_is_refused(self, store: Store) -> None:
        seen = store.mark("acme", "ann")
        put(store, a_memory("1", content="Tea!"))
        late = replace(some_changes(a_memory("2", content="tea")), seen=seen)
        with pytest.raises(Conflict):
            store.apply(late)
        assert ids(store.every("acme", after="", limit=9)) == ["1"]
        store.apply(replace(late, seen=store.mark("acme", "ann")))
        store.apply(replace(some_changes(a_memory("3", content="milk")), seen=seen))

    def test_what_one_change_writes_does_not_overtake_itself(self, store: Store) -> None:
        both = some_changes(a_memory("1", content="tea"), a_memory("2", content="Tea!"))
        store.apply(replace(both, seen=store.mark("acme", "ann")))
        assert [each.id for each in store.kin(ANN, TEA, limit=9)] == ["2", "1"]

    def test_a_version_history_tells_who_did_what_when_and_what_was_before(
        self, store: Store
    ) -> None:
        first = a_memory(content="port 5432", confidence=0.5)
        put(store, first)
        second = changed(first, content="port 5433", confidence=0.8, updated_at=LATER, heat=2.0)
        put(store, second)
        before = {"content": "port 5432", "confidence": 0.5}
        assert store.history(ANN, "m1") == [a_revision(1, {}), a_revision(2, before)]

    def test_a_history_is_only_of_its_memory(self, store: Store) -> None:
        put(store, a_memory("1"), a_memory("2"))
        put(store, changed(a_memory("2"), tags=frozenset({"b", "a"})))
        assert [r.before for r in store.history(ANN, "2")] == [{}, {"tags": []}]
        assert len(store.history(ANN, "1")) == 1
        assert store.history(ANN, "missing") == []

    def test_the_history_of_a_superseded_memory_says_so(self, store: Store) -> None:
        put(store, a_memory("old"))
        put(store, *superseded(a_memory("old"), a_memory("new")))
        assert [r.before for r in store.history(ANN, "old")] == [
            {},
            {"superseded_by": None, "retired_at": None},
        ]

    def test_a_receipt_is_found_by_its_tenant_user_and_key(self, store: Store) -> None:
        receipt = a_receipt(outcome=Outcome.MERGED, reason="同一内容")
        store.apply(some_changes(a_memory(), receipt=receipt))
        assert store.receipt("acme", "ann", "k1") == receipt
        for tenant, user_id, key in (
            ("other", "ann", "k1"),
            ("acme", "bob", "k1"),
            ("acme", "ann", "k"),
        ):
            assert store.receipt(tenant, user_id, key) is None

    def test_one_key_of_two_users_is_two_keys(self, store: Store) -> None:
        for user_id, digest in (("ann", "d1"), ("bob", "d2")):
            receipt = a_receipt(user_id=user_id, request_digest=digest)
            store.apply(some_changes(receipt=receipt))
        assert store.receipt("acme", "ann", "k1") == a_receipt()
        assert store.receipt("acme", "bob", "k1") == a_receipt(user_id="bob", request_digest="d2")

    def test_a_recall_is_found_by_its_tenant_and_id(self, store: Store) -> None:
        recall = a_recall(hit_ids=("m1", "m2"))
        store.apply(some_changes(recall=recall))
        assert store.recall("acme", "r1") == recall
        assert store.recall("other", "r1") is None
        assert store.recall("acme", "r2") is None

    def test_feedback_completes_a_recall(self, store: Store) -> None:
        store.apply(some_changes(recall=a_recall()))
        told = a_recall(used_ids=("m1", "m7"), helped=False)
        store.apply(some_changes(recall=told))
        assert store.recall("acme", "r1") == told

    def test_one_recall_id_of_two_tenants_is_two_recalls(self, store: Store) -> None:
        store.apply(some_changes(recall=a_recall()))
        other = a_recall(tenant="other", used_ids=("m9",))
        store.apply(some_changes(tenant="other", recall=other))
        assert store.recall("acme", "r1") == a_recall()
        assert store.recall("other", "r1") == other


def ids(memories: list[Memory]) -> list[str]:
    return [memory.id for memory in memories]


def a_revision(version: int, before: dict[str, object]) -> Revision:
    return Revision(
        memory_id="m1",
        version=version,
        at=NOON,
        actor="ada",
        operation="write",
        reason="told so",
        before=before,  # type: ignore[arg-type]  # values of JSON, written as they are
    )
