"""What all calls to an OpenAI-compatible service share: the client, and its failures as ours."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import TYPE_CHECKING

from hindsight_memory.errors import InvalidInput, Unavailable

if TYPE_CHECKING:  # importing it takes 0.3 s
    from openai import OpenAI

RETRIES = 2
"""After the first attempt, by the library: with jitter, doubling from half a second, and as long
as a 429 asks for."""

NO_KEY = "none"
"""Local servers want no key, and the library wants one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """Where a model is asked. timeout_seconds: of one attempt. setting: the prefix of the names of
    its settings, for messages.
    """

    base_url: str
    api_key: str = field(default="", repr=False)
    timeout_seconds: float = 30.0
    retries: int = RETRIES
    setting: str = "HINDSIGHT_MEMORY_LLM"


def require_package(service: Service) -> Service:
    """``service``, if it can be asked. Raises InvalidInput without the package."""
    if find_spec("openai") is None:
        raise InvalidInput(
            f"{service.setting} names a remote model, which needs a package: "
            "pip install 'hindsight-memory[llm]'"
        )
    return service


def connected(service: Service) -> "OpenAI":
    """A client that takes nothing from the environment."""
    from openai import OpenAI

    return OpenAI(
        api_key=service.api_key or NO_KEY,
        base_url=service.base_url,
        timeout=service.timeout_seconds,
        max_retries=service.retries,
        # Empty instead of absent: otherwise those of the environment are sent along.
        organization="",
        project="",
    )


@contextmanager
def translated(service: Service) -> Iterator[None]:
    """Raises Unavailable for whatever the service did not do, with what to do about it."""
    import openai

    try:
        yield
    except openai.APITimeoutError as error:
        raise Unavailable(
            f"{service.base_url} did not answer in {service.timeout_seconds:g} s; "
            f"retry later, or raise {service.setting}_TIMEOUT_SECONDS"
        ) from error
    except openai.APIConnectionError as error:
        raise Unavailable(
            f"{service.base_url} cannot be reached, or broke off: {error}; is it running?"
        ) from error
    except openai.APIStatusError as error:
        raise Unavailable(_status(service, error.status_code, error.message)) from error
    except openai.OpenAIError as error:
        raise Unavailable(f"{service.base_url}: {error}") from error
    except ValueError as error:  # half of an answer; the library reads it as it is
        raise foreign(service) from error


def foreign(service: Service) -> Unavailable:
    """For an answer that is none of this API: a page of a proxy, half of one, another service's."""
    return Unavailable(
        f"{service.base_url} answered something else than asked for; retry later, or check "
        f"{service.setting}_BASE_URL"
    )


_ADVICE: Mapping[int, str] = {
    401: "check {setting}_API_KEY",
    403: "check what {setting}_API_KEY may do",
    404: "check {setting}_BASE_URL and the name of the model",
    429: "it is asked too often, or its quota is spent; retry later",
}


def _status(service: Service, status: int, message: str) -> str:
    advice = _ADVICE.get(status, "retry later").format(setting=service.setting)
    return f"{service.base_url} answered {status}: {message[:200]}; {advice}"
