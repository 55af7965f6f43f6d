"""A server that speaks as much of Qdrant's HTTP API as we use, over Qdrant's own engine
(``qdrant-edge-py``), with switches for what goes wrong with real ones.

    with QdrantServer(folder) as server:
        server.faults(Fault.LOST_ANSWER)      # one for each of the next requests that write
        client = QdrantClient(url=server.url)

Real servers differ in speed, and in what they do besides; the same tests run against one when
HINDSIGHT_MEMORY_TEST_QDRANT_URL names it.
"""

import json
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

import qdrant_edge as edge

Body = dict[str, Any]
PARTIAL = 2
"""Of a batch that is applied in part, every so many points are."""


class Fault(StrEnum):
    """broken: refused with 500, nothing is done. lost answer: done, and the connection breaks.
    partial: done in part, then 500. slow: not answered until the server is released.
    """

    BROKEN = "broken"
    LOST_ANSWER = "lost answer"
    PARTIAL = "partial"
    SLOW = "slow"


class QdrantServer:
    """Listens on a free port of loopback, or on ``port``; what it keeps is in ``folder``.

    is_down: whether connections are closed unanswered. writes: how many requests wrote something.
    """

    def __init__(self, folder: Path, *, api_key: str = "", port: int = 0) -> None:
        self.is_down = False
        self.writes = 0
        self._api_key = api_key
        self._folder = folder
        self._collections: dict[str, _Collection] = {}
        self._faults: deque[Fault] = deque()
        self._lock = threading.Lock()
        self._released = threading.Event()
        handler = type("Handler", (_Handler,), {"owner": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", port), handler)
        self._server.daemon_threads = True
        # Asked every 10 ms whether to stop, so that a test does not wait half a second for it.
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.01,), daemon=True
        )

    @property
    def port(self) -> int:
        return self._server.server_port

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def faults(self, *faults: Fault) -> None:
        """One for each of the next requests that write; what comes after them is done well."""
        with self._lock:
            self._faults = deque(faults)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._released.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
        for collection in self._collections.values():
            collection.shard.close()

    def is_allowed(self, key: str) -> bool:
        return key == self._api_key or not self._api_key

    def answer(self, method: str, path: str, body: Body) -> Any:
        """The ``result`` of one request, one at a time. Raises KeyError for what is not there."""
        with self._lock:
            match (method, *path.strip("/").split("/")):
                case "GET", "":
                    return {"title": "qdrant - vector search engine", "version": "1.16.0"}
                case "GET", "collections", name, "exists":
                    return {"exists": name in self._collections}
                case "GET", "collections", name:
                    return self._collections[name].info()
                case "PUT", "collections", name:
                    self._collections[name] = _Collection(self._folder / name, body)
                    return True
                case "DELETE", "collections", name:
                    self._collections.pop(name).shard.close()
                    return True
                case _, "collections", name, *rest:
                    return self._collections[name].answer((method, *rest), body)
        raise KeyError(path)

    def fault_of(self, method: str, path: str) -> Fault | None:
        """What goes wrong with this request, if it writes points."""
        is_write = (method, path.rsplit("/", 1)[-1]) in {("PUT", "points"), ("POST", "delete")}
        with self._lock:
            self.writes += is_write
            return self._faults.popleft() if is_write and self._faults else None

    def wait_for_release(self) -> None:
        self._released.wait()


class _Collection:
    """One collection, in a shard of its own."""

    def __init__(self, folder: Path, config: Body) -> None:
        self.config = config
        self.schema: Body = {}
        folder.mkdir(parents=True)
        vectors = config["vectors"]
        size, distance = vectors["size"], getattr(edge.Distance, vectors["distance"])
        made = edge.EdgeConfig(vectors=edge.EdgeVectorParams(size=size, distance=distance))
        self.shard = edge.EdgeShard.create(str(folder), made)

    def info(self) -> Body:
        count = self.shard.count(edge.CountRequest(exact=True))
        params = {"vectors": self.config["vectors"], "shard_number": 1, "on_disk_payload": True}
        hnsw = {"m": 16, "ef_construct": 100, "full_scan_threshold": 10_000}
        optimizer = {
            "deleted_threshold": 0.2,
            "vacuum_min_vector_number": 1000,
            "default_segment_number": 0,
            "flush_interval_sec": 5,
        }
        return {
            "status": "green",
            "optimizer_status": "ok",
            "points_count": count,
            "indexed_vectors_count": 0,
            "segments_count": 1,
            "payload_schema": self.schema,
            "config": {
                "params": params,
                "hnsw_config": {**hnsw, **(self.config.get("hnsw_config") or {})},
                "optimizer_config": optimizer,
                "quantization_config": self.config.get("quantization_config"),
            },
        }

    def answer(self, asked: Sequence[str], body: Body) -> Any:
        return _ANSWERS[tuple(asked)](self, body)

    def index(self, body: Body) -> Body:
        schema = body["field_schema"]
        kind = schema["type"] if isinstance(schema, dict) else schema
        self.schema[body["field_name"]] = {"data_type": kind, "points": 0}
        return _done()

    def upsert(self, body: Body) -> Body:
        points = [
            edge.Point(id=each["id"], vector=each["vector"], payload=each.get("payload") or {})
            for each in body["points"]
        ]
        self.shard.update(edge.UpdateOperation.upsert_points(points))
        return _done()

    def delete(self, body: Body) -> Body:
        if "points" in body:
            self.shard.update(edge.UpdateOperation.delete_points(body["points"]))
        else:
            wanted = _filter(body["filter"])
            assert wanted is not None
            self.shard.update(edge.UpdateOperation.delete_points_by_filter(wanted))
        return _done()

    def query(self, body: Body) -> Body:
        params = body.get("params") or {}
        request = edge.QueryRequest(
            limit=body["limit"],
            query=edge.Query.Nearest(_vector(body["query"])),
            filter=_filter(body.get("filter")),
            with_payload=body.get("with_payload", False),
            params=edge.SearchParams(
                hnsw_ef=params.get("hnsw_ef"), exact=bool(params.get("exact", False))
            ),
        )
        return {"points": [_scored(each) for each in self.shard.query(request)]}

    def scroll(self, body: Body) -> Body:
        request = edge.ScrollRequest(
            offset=body.get("offset"),
            limit=body.get("limit", 10),
            filter=_filter(body.get("filter")),
            with_payload=body.get("with_payload", True),
        )
        points, following = self.shard.scroll(request)
        found = [{"id": _plain(each.id), "payload": each.payload} for each in points]
        return {"points": found, "next_page_offset": following and _plain(following)}

    def count(self, body: Body) -> Body:
        request = edge.CountRequest(exact=True, filter=_filter(body.get("filter")))
        return {"count": self.shard.count(request)}


_ANSWERS: Mapping[tuple[str, ...], Callable[[_Collection, Body], Body]] = {
    ("PUT", "index"): _Collection.index,
    ("PUT", "points"): _Collection.upsert,
    ("POST", "points", "delete"): _Collection.delete,
    ("POST", "points", "query"): _Collection.query,
    ("POST", "points", "scroll"): _Collection.scroll,
    ("POST", "points", "count"): _Collection.count,
}


def _done() -> Body:
    return {"operation_id": 1, "status": "completed"}


def _vector(query: Any) -> list[float]:
    found: list[float] = query["nearest"] if isinstance(query, dict) else query
    return found


def _filter(given: Body | None) -> edge.Filter | None:
    if not given:
        return None
    return edge.Filter(
        must=[_condition(each) for each in given.get("must") or []],
        must_not=[_condition(each) for each in given.get("must_not") or []],
    )


def _condition(given: Body) -> Any:
    if "has_id" in given:
        return edge.HasIdCondition(set(given["has_id"]))
    match = given["match"]
    wanted = edge.MatchAny(match["any"]) if "any" in match else edge.MatchValue(match["value"])
    return edge.FieldCondition(key=given["key"], match=wanted)


def _scored(point: Any) -> Body:
    return {"id": _plain(point.id), "version": 0, "score": point.score, "payload": point.payload}


def _plain(point_id: Any) -> int | str:
    return point_id if isinstance(point_id, int) else str(point_id)


class _Handler(BaseHTTPRequestHandler):
    """Subclasses name their server."""

    protocol_version = "HTTP/1.1"
    owner: QdrantServer

    def do_GET(self) -> None:
        self._serve("GET")

    def do_PUT(self) -> None:
        self._serve("PUT")

    def do_POST(self) -> None:
        self._serve("POST")

    def do_DELETE(self) -> None:
        self._serve("DELETE")

    def _serve(self, method: str) -> None:
        length = int(self.headers["Content-Length"] or 0)
        body = json.loads(self.rfile.read(length) or b"{}")
        path = urlsplit(self.path).path
        if self.owner.is_down:
            self.close_connection = True
        elif not self.owner.is_allowed(self.headers["api-key"] or ""):
            self._send(401, {"status": {"error": "Must provide an API key"}})
        else:
            self._try(method, path, body, self.owner.fault_of(method, path))

    def _try(self, method: str, path: str, body: Body, fault: Fault | None) -> None:
        if fault is Fault.SLOW:
            self.owner.wait_for_release()
            self.close_connection = True
            return
        if fault is Fault.PARTIAL and "points" in body:
            self.owner.answer(method, path, {**body, "points": body["points"][::PARTIAL]})
        if fault in {Fault.BROKEN, Fault.PARTIAL}:
            self._send(500, {"status": {"error": "Service internal error"}})
            return
        self._answer(method, path, body, is_lost=fault is Fault.LOST_ANSWER)

    def _answer(self, method: str, path: str, body: Body, *, is_lost: bool) -> None:
        try:
            result = self.owner.answer(method, path, body)
        except KeyError as error:
            self._send(404, {"status": {"error": f"Not found: {error}"}})
            return
        if is_lost:
            self.close_connection = True
            return
        whole = result if path == "/" else {"result": result, "status": "ok", "time": 0.0}
        self._send(200, whole)

    def _send(self, status: int, body: Any) -> None:
        content = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - theirs
        """Nothing: tests read stderr."""
