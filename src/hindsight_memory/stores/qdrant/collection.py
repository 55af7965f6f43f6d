"""One collection of a Qdrant: the vectors of one model, of every tenant and user.

A point is a passage. Its id says which, and so do ``tenant`` and ``scope`` whose it is; no text is
sent. Whatever is in it can be made anew from PostgreSQL.
"""

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from http import HTTPStatus
from typing import NamedTuple, TypeAlias, TypeVar

import structlog
from qdrant_client import QdrantClient, models
from qdrant_client.http.exceptions import ApiException, UnexpectedResponse

from hindsight_memory.core.identity import digest
from hindsight_memory.core.model import Vector
from hindsight_memory.errors import Incompatible, Unavailable
from hindsight_memory.stores.qdrant.tuning import Address

log = structlog.get_logger(__name__)

PASSAGE_BITS = 16
"""Of a point's id; what is before them is the number of its memory. No content has so many."""

PAUSE_SECONDS = 1.0
"""How long nobody asks after it did not answer, so that a Qdrant that is away costs nothing."""

PAGE = 1_000

Answer = TypeVar("Answer")
Monotonic: TypeAlias = Callable[[], float]


class Point(NamedTuple):
    seq: int
    passage: int
    tenant: str
    scope: int
    vector: list[float]

    @property
    def id(self) -> int:
        return point_id(self.seq, self.passage)


def point_id(seq: int, passage: int) -> int:
    return seq << PASSAGE_BITS | passage


class Collection:
    """Safe to share between threads. Constructing one connects to nothing."""

    def __init__(
        self, address: Address, fingerprint: str, *, now: Monotonic = time.monotonic
    ) -> None:
        self.name = f"hindsight-{digest(fingerprint)[:16]}"
        self.url = address.url
        self.tuning = address.tuning
        self._client = QdrantClient(
            url=address.url,
            # Not ``api_key``, with which it warns of a network that only the owner can judge.
            metadata={"api-key": address.api_key} if address.api_key else {},
            timeout=max(1, round(address.tuning.timeout_seconds)),
            check_compatibility=False,
        )
        self._now = now
        self._lock = threading.Lock()
        self._ask_again_at = 0.0
        self._trouble = ""
        self._is_made = False

    def prepare(self, dimensions: int) -> None:
        """Make the collection, or look whether the one that is there is as it must be.

        Raises Incompatible and Unavailable.
        """
        if self._is_made:
            return
        if not self._ask(lambda client: client.collection_exists(self.name)):
            self._ask(lambda client: self._make(client, dimensions))
        self._check(dimensions)
        self._ask(self._index)
        self._is_made = True

    def replace(self, seqs: Sequence[int], points: Sequence[Point]) -> None:
        """``points`` instead of whatever there is of these memories. Raises Unavailable."""
        wanted = models.Filter(
            must=[models.FieldCondition(key="seq", match=models.MatchAny(any=list(seqs)))]
        )
        kept = models.Filter(
            must=wanted.must,
            must_not=[models.HasIdCondition(has_id=[point.id for point in points])],
        )
        selector = models.FilterSelector(filter=kept if points else wanted)
        if points:
            given = [_given(point) for point in points]
            self._ask(lambda client: client.upsert(self.name, given, wait=True))
        self._ask(lambda client: client.delete(self.name, selector, wait=True))

    def nearest(self, tenant: str, scope: int, vector: Vector, limit: int) -> list[int]:
        """The memories of one user's ``limit`` nearest passages, each once. Raises Unavailable."""
        mine = models.Filter(
            must=[
                models.FieldCondition(key="scope", match=models.MatchValue(value=str(scope))),
                models.FieldCondition(key="tenant", match=models.MatchValue(value=tenant)),
            ]
        )
        params = models.SearchParams(
            hnsw_ef=max(self.tuning.ef, limit),
            quantization=models.QuantizationSearchParams(rescore=True, oversampling=2.0),
        )
        found = self._ask(
            lambda client: client.query_points(
                self.name,
                query=vector.tolist(),
                query_filter=mine,
                search_params=params,
                limit=limit,
                with_payload=False,
            )
        )
        return list(dict.fromkeys(int(point.id) >> PASSAGE_BITS for point in found.points))

    def ids(self) -> Iterator[int]:
        """Of all points, in order. Raises Unavailable."""
        following: models.ExtendedPointId | None = None
        while True:
            page, following = self._page(following)
            yield from page
            if following is None:
                return

    def _page(
        self, begin: models.ExtendedPointId | None
    ) -> tuple[list[int], models.ExtendedPointId | None]:
        points, following = self._ask(
            lambda client: client.scroll(
                self.name, limit=PAGE, offset=begin, with_payload=False, with_vectors=False
            )
        )
        return [int(point.id) for point in points], following

    def drop(self, ids: Sequence[int]) -> None:
        """Raises Unavailable."""
        selector = models.PointIdsList(points=list(ids))
        self._ask(lambda client: client.delete(self.name, selector, wait=True))

    def count(self) -> int:
        """0 while there is no collection. Raises Unavailable."""
        if not self._ask(lambda client: client.collection_exists(self.name)):
            return 0
        return self._ask(lambda client: client.count(self.name, exact=True)).count

    def close(self) -> None:
        self._client.close()

    def _make(self, client: QdrantClient, dimensions: int) -> bool:
        tuning = self.tuning
        quantized = models.ScalarQuantization(
            scalar=models.ScalarQuantizationConfig(type=models.ScalarType.INT8, always_ram=True)
        )
        return client.create_collection(
            self.name,
            vectors_config=models.VectorParams(
                size=dimensions, distance=models.Distance.DOT, on_disk=tuning.on_disk
            ),
            # No graph over all users: each search is one user's, and has a graph of its own.
            hnsw_config=models.HnswConfigDiff(
                m=0, payload_m=tuning.m, ef_construct=tuning.ef_construct
            ),
            quantization_config=quantized if tuning.quantized else None,
        )

    def _index(self, client: QdrantClient) -> None:
        for field, schema in _FIELDS.items():
            client.create_payload_index(self.name, field, schema)

    def _check(self, dimensions: int) -> None:
        vectors = self._ask(lambda client: client.get_collection(self.name)).config.params.vectors
        if not isinstance(vectors, models.VectorParams):
            raise Incompatible(f"the collection {self.name!r} at {self.url} is not ours; remove it")
        is_ours = vectors.distance is models.Distance.DOT
        if (vectors.size, is_ours) != (dimensions, True):
            raise Incompatible(
                f"the collection {self.name!r} at {self.url} has {vectors.size} dimensions and "
                f"{vectors.distance.value}, where {dimensions} and Dot are needed: remove it, and "
                "run `hindsight-memory reconcile`"
            )

    def _ask(self, question: Callable[[QdrantClient], Answer]) -> Answer:
        """What it gets. Raises Unavailable, at once in the pause after a failure.

        There is none where only the collection is missing: a search that comes before the first
        vectors would keep these from being brought.
        """
        with self._lock:
            if self._now() < self._ask_again_at:
                raise Unavailable(self._trouble)
        try:
            return question(self._client)
        except (ApiException, OSError) as error:
            reason = " ".join(str(error).split())[:200]
            trouble = f"Qdrant at {self.url} did not do it: {reason}"
            log.warning("qdrant_unavailable", error=reason)
            if not _is_missing(error):
                with self._lock:
                    self._ask_again_at = self._now() + PAUSE_SECONDS
                    self._trouble = trouble
            raise Unavailable(trouble) from error


def _is_missing(error: Exception) -> bool:
    return isinstance(error, UnexpectedResponse) and error.status_code == HTTPStatus.NOT_FOUND


_FIELDS: Mapping[str, models.PayloadSchemaType | models.KeywordIndexParams] = {
    "scope": models.KeywordIndexParams(type=models.KeywordIndexType.KEYWORD, is_tenant=True),
    "tenant": models.KeywordIndexParams(type=models.KeywordIndexType.KEYWORD),
    "seq": models.PayloadSchemaType.INTEGER,
}


def _given(point: Point) -> models.PointStruct:
    payload = {"tenant": point.tenant, "scope": str(point.scope), "seq": point.seq}
    return models.PointStruct(id=point.id, vector=point.vector, payload=payload)
