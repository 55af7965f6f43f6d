"""What a store tells of whole sessions, for who looks back over them."""

from dataclasses import replace
from datetime import datetime, timedelta

from hindsight_memory.core.model import Layer, Scope, Visibility
from hindsight_memory.core.ports import Store
from hindsight_memory.testing.samples import ANN, NOON, a_memory, changed, put, some_changes

LATER = NOON + timedelta(hours=1)
EPISODE = a_memory("1", session_id="s1", layer=Layer.EPISODIC)


class Sessions:
    """``settle`` is StoreSuite's."""

    def settle(self) -> None:
        raise NotImplementedError

    def test_sessions_come_with_their_episodes_and_last_change(self, store: Store) -> None:
        second = replace(EPISODE, id="2", content="2", updated_at=LATER)
        put(store, EPISODE, second, replace(EPISODE, id="3", content="3", session_id="s0"))
        assert told(store) == [("s0", 1, NOON), ("s1", 2, LATER)]

    def test_only_episodes_of_the_user_make_a_session(self, store: Store) -> None:
        put(store, EPISODE, replace(EPISODE, id="2", session_id=""))
        put(store, replace(EPISODE, id="3", user_id="bob", session_id="s3"))
        put(store, a_memory("4", session_id="s4"))
        assert told(store) == [("s1", 1, NOON)]

    def test_private_episodes_make_a_session_for_their_agent_and_operators(
        self, store: Store
    ) -> None:
        put(store, replace(EPISODE, visibility=Visibility.PRIVATE, agent_id="bot"))
        assert told(store) == []
        assert told(store, Scope("acme", "ann", "bot")) == [("s1", 1, NOON)]
        assert told(store, Scope("acme", "ann", None)) == [("s1", 1, NOON)]

    def test_sessions_come_page_by_page_in_order(self, store: Store) -> None:
        for name in ("s3", "s1", "s2"):
            put(store, replace(EPISODE, id=name, session_id=name))
        page = store.sessions(ANN, after="", limit=2)
        assert [each.session_id for each in page] == ["s1", "s2"]
        rest = store.sessions(ANN, after="s2", limit=2)
        assert [each.session_id for each in rest] == ["s3"]

    def test_each_change_of_an_episode_changes_the_mark_of_its_session(self, store: Store) -> None:
        put(store, EPISODE, replace(EPISODE, id="2", content="2"))
        marks = [mark(store)]
        store.apply(some_changes(changed(EPISODE, deleted_at=LATER, updated_at=LATER)))
        marks.append(mark(store))
        store.apply(some_changes(purges=("2",)))
        marks.append(mark(store))
        put(store, replace(EPISODE, id="3", content="3"))
        assert sorted({*marks, mark(store)}) == sorted([*marks, mark(store)])


def told(store: Store, scope: Scope = ANN) -> list[tuple[str, int, datetime]]:
    found = store.sessions(scope, after="", limit=9)
    return [(each.session_id, each.episodes, each.touched_at) for each in found]


def mark(store: Store) -> str:
    [session] = store.sessions(ANN, after="", limit=9)
    return session.mark
