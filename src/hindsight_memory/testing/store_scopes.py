"""Who sees what, and what a filter means: each read against core.filters, on random memories."""

from hypothesis import given
from hypothesis import strategies as st

from hindsight_memory.core.filters import is_visible, matches
from hindsight_memory.core.kinship import keys
from hindsight_memory.core.model import Memory, Scope, Tier, Visibility
from hindsight_memory.core.ports import Store
from hindsight_memory.testing.samples import (
    EAST,
    a_memory,
    changed,
    filters,
    fresh_tenant,
    memories,
    on_one_store,
    put,
    scopes,
    wider_scopes,
)

TEA = a_memory("probe", content="tea", project="web")


class Scopes:
    """``settle`` is StoreSuite's."""

    def settle(self) -> None:
        raise NotImplementedError

    @on_one_store
    @given(data=st.data())
    def test_a_page_is_what_the_filter_says_of_what_is_visible(
        self, store: Store, data: st.DataObject
    ) -> None:
        tenant, written = self.written(store, data)
        scope, where = data.draw(wider_scopes(tenant)), data.draw(filters())
        expected = [m for m in written if is_visible(scope, m) and matches(where, m)]
        assert store.page(scope, where, before=None, limit=50) == expected[::-1]

    @on_one_store
    @given(data=st.data())
    def test_candidates_are_what_the_filter_says_of_what_is_visible(
        self, store: Store, data: st.DataObject
    ) -> None:
        tenant, written = self.written(store, data)
        scope, where = data.draw(scopes(tenant)), data.draw(filters())
        wanted = [m for m in written if is_visible(scope, m) and matches(where, m)]
        expected = {m.id for m in wanted}
        embedded = {m.id for m in wanted if m.tier is not Tier.ARCHIVED}
        words = [word for m in written for word in m.content.split()]
        for terms, vector, least in (
            (words, None, expected),
            ((), EAST, embedded),
            (words, EAST, expected),
        ):
            found = store.candidates(scope, terms, vector, where=where, limit=50).evidence
            ids = [e.id for e in found]
            assert ids == sorted(ids)
            assert least <= set(ids) <= expected
            assert {name for e in found for name in e.earlier + e.later} <= expected

    @on_one_store
    @given(data=st.data())
    def test_whatever_reads_by_id_or_key_sees_what_is_visible(
        self, store: Store, data: st.DataObject
    ) -> None:
        tenant, written = self.written(store, data)
        scope = data.draw(wider_scopes(tenant))
        visible = [m for m in written if is_visible(scope, m)]
        assert store.get(scope, [m.id for m in written]) == visible
        assert [m for m in written if store.history(scope, m.id)] == visible
        kin = store.kin(scope, TEA, limit=50)
        assert kin == [m for m in visible[::-1] if is_kin(m)]

    def test_a_private_memory_is_its_authors(self, store: Store) -> None:
        private = a_memory(visibility=Visibility.PRIVATE)
        put(store, private)
        assert store.get(Scope("acme", "ann", "ada"), ["m1"]) == [private]
        assert store.get(Scope("acme", "ann", None), ["m1"]) == [private]
        assert store.get(Scope("acme", "ann", "bot"), ["m1"]) == []

    def test_making_a_memory_private_hides_it(self, store: Store) -> None:
        put(store, a_memory())
        bot = Scope("acme", "ann", "bot")
        assert len(store.get(bot, ["m1"])) == 1
        put(store, changed(a_memory(), visibility=Visibility.PRIVATE))
        assert store.get(bot, ["m1"]) == []

    def written(self, store: Store, data: st.DataObject) -> tuple[str, list[Memory]]:
        """A tenant's memories, in order of id, beside the same ones of another tenant."""
        tenant, other = fresh_tenant(), fresh_tenant()
        written = data.draw(memories(tenant))
        put(store, *written)
        put(store, *data.draw(memories(other)))
        self.settle()
        return tenant, written


def is_kin(memory: Memory) -> bool:
    """Whether it is a current memory about the same thing as TEA."""
    is_current = not memory.is_superseded and not memory.is_forgotten
    is_near = memory.project == TEA.project and not set(keys(memory)).isdisjoint(keys(TEA))
    return is_current and is_near
