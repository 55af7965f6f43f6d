"""PostgreSQL with Qdrant beside it meets the contract of a store, whether Qdrant is fed, behind or
away; and the two agree again in the end.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from hindsight_memory.core.changes import Changes, Revision
from hindsight_memory.core.model import Vector
from hindsight_memory.core.retrieval import Filter
from hindsight_memory.engine.exporting import silent
from hindsight_memory.errors import Incompatible, InvalidInput
from hindsight_memory.stores.postgres.database import Limits
from hindsight_memory.stores.postgres.store import PostgresStore
from hindsight_memory.stores.qdrant.collection import Collection, Point
from hindsight_memory.stores.qdrant.store import QdrantStore
from hindsight_memory.stores.qdrant.tuning import Address, Tuning
from hindsight_memory.testing.postgres_server import Place
from hindsight_memory.testing.qdrant_server import Fault, QdrantServer
from hindsight_memory.testing.samples import (
    ANN,
    EAST,
    MODEL,
    NORTH,
    WEST,
    a_memory,
    changed,
    embedded,
    put,
    some_changes,
    toward,
)
from hindsight_memory.testing.store_candidates import Candidates
from hindsight_memory.testing.store_suite import StoreSuite
from hindsight_memory.testing.store_vectors import Vectors

REAL = os.environ.get("HINDSIGHT_MEMORY_TEST_QDRANT_URL", "")
"""A real Qdrant, to run the same against."""


class FedStore(QdrantStore):
    """Fed right after each write, as an idle process does it."""

    def apply(self, changes: Changes) -> None:
        super().apply(changes)
        self.feed()

    def restore(self, changes: Changes, histories: Mapping[str, Sequence[Revision]]) -> None:
        super().restore(changes, histories)
        self.feed()

    def feed(self) -> None:
        while self.catch_up():
            pass


@pytest.fixture
def qdrant(tmp_path: Path) -> Iterator[QdrantServer]:
    with QdrantServer(tmp_path / "qdrant", api_key="secret") as server:
        yield server


def vector_url(server: QdrantServer, **parameters: object) -> str:
    """exact=0: Qdrant is asked however few there are."""
    given = {"exact": 0, "timeout_seconds": 1} | parameters
    query = "&".join(f"{name}={value}" for name, value in given.items())
    return f"{REAL or f'qdrant://:secret@127.0.0.1:{server.port}'}?{query}"


def opened(
    kind: type[QdrantStore], place: Place, url: str, fingerprint: str = MODEL
) -> QdrantStore:
    limits = Limits(connections=4)
    return kind.beside(place.url, url, fingerprint=fingerprint, limits=limits)


class Opening:
    """Opens stores of one kind on one database and one Qdrant."""

    kind: type[QdrantStore]

    @pytest.fixture
    def open_store(
        self, place: Place, qdrant: QdrantServer
    ) -> Iterator[Callable[[str], QdrantStore]]:
        with ExitStack() as stores:

            def open_store(fingerprint: str) -> QdrantStore:
                store = opened(self.kind, place, vector_url(qdrant), fingerprint)
                return stores.enter_context(closing(store))

            yield open_store


class TestFed(Opening, StoreSuite):
    kind = FedStore


class TestBehind(Opening, Candidates, Vectors):
    """Never fed: what is promised is compared where it is."""

    kind = QdrantStore

    @pytest.fixture
    def store(self, open_store: Callable[[str], QdrantStore]) -> QdrantStore:
        return open_store(MODEL)

    def settle(self) -> None:
        """Nothing is left to do behind a write but what never happens here."""


@pytest.fixture
def store(place: Place, qdrant: QdrantServer) -> Iterator[QdrantStore]:
    with closing(opened(QdrantStore, place, vector_url(qdrant))) as store:
        yield store


def feed(store: QdrantStore) -> None:
    while store.catch_up():
        pass


def near(store: QdrantStore, vector: Vector = EAST, limit: int = 10) -> list[str]:
    """The nearest first."""
    found = store.candidates(ANN, (), vector, where=Filter(), limit=limit).evidence
    ranked = sorted(found, key=lambda each: -(each.similarity or 0))
    return [each.id for each in ranked]


def points(qdrant: QdrantServer) -> int:
    collection = Collection(Address.parse(vector_url(qdrant)), MODEL)
    with closing(collection):
        return collection.count()


def fill(store: QdrantStore, count: int) -> None:
    """Their numbers by how near to the east they are."""
    for number in range(count):
        put(store, a_memory(f"m{number}"), vector=toward(1 - number / 100))


def test_what_is_written_comes_into_the_index(store: QdrantStore, qdrant: QdrantServer) -> None:
    fill(store, 3)
    assert store.behind() == ["3 changes wait for it"]
    feed(store)
    assert (points(qdrant), store.behind()) == (3, [])
    assert near(store) == ["m0", "m1", "m2"]


def test_a_change_replaces_all_passages_of_before(store: QdrantStore, qdrant: QdrantServer) -> None:
    old = a_memory()
    store.apply(some_changes(old, passages=(embedded(old, EAST, NORTH, WEST),)))
    feed(store)
    new = changed(old, content="new")
    store.apply(some_changes(new, passages=(embedded(new, NORTH),)))
    feed(store)
    assert points(qdrant) == 1


def test_what_is_purged_leaves_the_index(store: QdrantStore, qdrant: QdrantServer) -> None:
    fill(store, 2)
    feed(store)
    store.apply(some_changes(purges=("m0",)))
    assert near(store) == ["m1"]
    feed(store)
    assert points(qdrant) == 1


def test_while_it_is_away_writes_go_on_and_searches_say_so(
    store: QdrantStore, qdrant: QdrantServer
) -> None:
    fill(store, 2)
    feed(store)
    qdrant.is_down = True
    put(store, a_memory("m2"), vector=toward(0.5))
    assert not store.catch_up()
    found = store.candidates(ANN, (), EAST, where=Filter(), limit=10)
    assert [each.id for each in found.evidence] == ["m0", "m1", "m2"]
    [note] = found.notes
    assert note.startswith("searched without the index of vectors: Qdrant at http://127.0.0.1")
    qdrant.is_down = False


def test_it_catches_up_when_it_is_back(place: Place, qdrant: QdrantServer) -> None:
    qdrant.is_down = True
    with closing(opened(QdrantStore, place, vector_url(qdrant))) as store:
        fill(store, 3)
        assert not store.catch_up()
        assert "Qdrant at" in store.behind()[1]
    qdrant.is_down = False
    with closing(opened(QdrantStore, place, vector_url(qdrant))) as store:
        feed(store)
        assert (points(qdrant), store.behind()) == (3, [])


@pytest.mark.parametrize("fault", [Fault.BROKEN, Fault.LOST_ANSWER, Fault.PARTIAL])
def test_a_change_that_failed_is_brought_again(
    place: Place, qdrant: QdrantServer, fault: Fault
) -> None:
    with closing(opened(QdrantStore, place, vector_url(qdrant))) as store:
        fill(store, 5)
        qdrant.faults(fault)
        assert not store.catch_up()
        assert store.behind() != []
    with closing(opened(QdrantStore, place, vector_url(qdrant))) as store:
        feed(store)
        assert (points(qdrant), store.behind()) == (5, [])
        assert near(store) == ["m0", "m1", "m2", "m3", "m4"]


def test_a_slow_one_keeps_nobody_waiting_for_long(place: Place, qdrant: QdrantServer) -> None:
    with closing(opened(QdrantStore, place, vector_url(qdrant))) as store:
        fill(store, 1)
        qdrant.faults(Fault.SLOW)
        assert not store.catch_up()
        assert near(store) == ["m0"]


def test_an_index_that_lost_everything_is_made_anew(
    store: QdrantStore, qdrant: QdrantServer
) -> None:
    fill(store, 3)
    feed(store)
    collection = Collection(Address.parse(vector_url(qdrant)), MODEL)
    with closing(collection):
        collection.drop([each for each in collection.ids() if each >> 16 != 2])
    assert store.reconcile(silent)[0] == "2 vectors were not in the index, and are now"
    assert points(qdrant) == 3


def test_what_belongs_to_nothing_is_dropped_from_the_index(
    store: QdrantStore, qdrant: QdrantServer
) -> None:
    fill(store, 2)
    feed(store)
    collection = Collection(Address.parse(vector_url(qdrant)), MODEL)
    with closing(collection):
        collection.prepare(2)
        collection.replace([99], [Point(99, 0, "acme", 1, [1.0, 0.0])])
    assert near(store) == ["m0", "m1"]
    assert store.reconcile(silent) == [
        "0 vectors were not in the index, and are now",
        "1 vectors in the index belonged to nothing, and are gone",
        "2 vectors are in the index",
    ]


def test_what_was_there_before_the_index_comes_into_it(place: Place, qdrant: QdrantServer) -> None:
    limits = Limits(connections=4)
    with closing(PostgresStore.open(place.url, fingerprint=MODEL, limits=limits)) as store:
        put(store, a_memory(), vector=EAST)
    with closing(opened(QdrantStore, place, vector_url(qdrant))) as store:
        feed(store)
        assert points(qdrant) == 1


def test_another_users_vectors_are_never_asked_for(
    store: QdrantStore, qdrant: QdrantServer
) -> None:
    put(store, a_memory("bob's", user_id="bob"), vector=EAST)
    put(store, a_memory("other's", tenant="other"), vector=EAST)
    put(store, a_memory("ann's"), vector=NORTH)
    feed(store)
    assert near(store, limit=1) == ["ann's"]


def test_a_collection_of_other_dimensions_is_refused(
    store: QdrantStore, qdrant: QdrantServer
) -> None:
    collection = Collection(Address.parse(vector_url(qdrant)), MODEL)
    with closing(collection):
        collection.prepare(3)
    fill(store, 1)
    with pytest.raises(Incompatible, match="has 3 dimensions and Dot, where 2 and Dot"):
        store.catch_up()


def test_a_wrong_key_is_told(place: Place, qdrant: QdrantServer) -> None:
    url = vector_url(qdrant).replace(":secret@", ":wrong@")
    with closing(opened(QdrantStore, place, url)) as store:
        fill(store, 1)
        assert not store.catch_up()
        assert "Must provide an API key" in store.behind()[1]


def test_small_users_are_compared_in_postgresql(place: Place, qdrant: QdrantServer) -> None:
    with closing(opened(QdrantStore, place, vector_url(qdrant, exact=10))) as store:
        fill(store, 3)
        qdrant.is_down = True
        found = store.candidates(ANN, (), EAST, where=Filter(), limit=10)
        assert (len(found.evidence), found.notes) == (3, ())
        qdrant.is_down = False


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ("http://h:6333", "give qdrant://HOST:6333"),
        ("qdrant://", "names no host"),
        ("qdrant://h:port", "cannot be read"),
        ("qdrant://h?n=1", "no parameter 'n'; known: m, ef_construct"),
        ("qdrant://h?m=many", "m='many' is not of int"),
        ("qdrant://h?on_disk=maybe", "on_disk='maybe' is not of bool"),
        ("qdrant://h?ef=-1", "ef='-1' is below 0"),
    ],
)
def test_an_address_that_cannot_be_is_refused(given: str, why: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        Address.parse(given)
    assert why in str(refused.value)


def test_an_address_says_where_and_how() -> None:
    address = Address.parse("qdrants://:k%2Fy@[::1]?on_disk=false&timeout_seconds=0.5")
    assert (address.url, address.api_key) == ("https://[::1]:6333", "k/y")
    assert address.tuning == Tuning(on_disk=False, timeout_seconds=0.5)


def test_a_server_without_keys_is_asked_without_one(place: Place, tmp_path: Path) -> None:
    with QdrantServer(tmp_path / "open") as server:
        url = f"qdrant://127.0.0.1:{server.port}?exact=0"
        with closing(opened(QdrantStore, place, url)) as store:
            fill(store, 2)
            feed(store)
            assert (near(store), store.behind()) == (["m0", "m1"], [])


def test_a_search_before_there_is_a_collection_holds_up_nothing(
    store: QdrantStore, qdrant: QdrantServer
) -> None:
    fill(store, 2)
    assert near(store) == ["m0", "m1"]
    feed(store)
    assert (points(qdrant), store.behind()) == (2, [])
