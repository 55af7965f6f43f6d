"""API keys: how a setting spells them, and whose the key is that a caller shows.

Of a key nothing is kept but its hash. A key is random, so a plain SHA-256 is enough: what slow
hashes make up for are passwords that somebody could guess.
"""

import hashlib
import hmac
import re
from collections.abc import Sequence
from dataclasses import dataclass

from hindsight_memory.core.hygiene import check_identifier
from hindsight_memory.core.model import Caller
from hindsight_memory.errors import InvalidInput

LEAST_CHARACTERS = 32
"""16 random bytes, as hexadecimal digits."""

LEAST_DIFFERENT = 8
"""Characters: 32 random hexadecimal digits have 14 different ones, and fewer than 8 once in twenty
million times; "secret" written six times has 5."""

HASHED = "sha256"

_TOKEN = re.compile(r"[A-Za-z0-9._~+/-]+=*")
"""What a header can carry as a bearer token (RFC 6750, section 2.1)."""

_HASH = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """One key, of one tenant. name: which one of the tenant's it is, for logs. hash: SHA-256 of the
    key, as hexadecimal digits.
    """

    tenant: str
    name: str
    hash: str

    def spelled(self) -> str:
        """As ``parse`` reads it."""
        return f"{self.tenant}/{self.name}:{HASHED}:{self.hash}"


class Keyring:
    """The keys of a server."""

    def __init__(self, keys: Sequence[Key]) -> None:
        self._keys = tuple((bytes.fromhex(key.hash), key) for key in keys)

    def __len__(self) -> int:
        return len(self._keys)

    def find(self, token: str) -> Key | None:
        """The key that ``token`` is. Takes as long for a wrong one, however much of it is right."""
        shown = bytes.fromhex(hash_of(token))
        found = None
        for held, key in self._keys:
            if hmac.compare_digest(held, shown):
                found = key
        return found


def parse(text: str) -> tuple[Key, ...]:
    """The keys in ``text``, between commas or white space, each as ``TENANT/NAME:KEY``.

    NAME, or TENANT with it, may be left out. KEY is the key itself, or ``sha256:`` and its hash.
    Raises InvalidInput, which counts from the left and repeats nothing: it may be a secret.
    """
    keys: list[Key] = []
    for number, entry in enumerate(re.split(r"[,\s]+", text.strip(" \t\r\n,")), start=1):
        if not entry:
            continue
        key = _key(entry, f"key {number}")
        if key.hash in {each.hash for each in keys}:
            raise InvalidInput(f"key {number} is there twice; a key has one tenant")
        keys.append(key)
    return tuple(keys)


def hash_of(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def _key(entry: str, which: str) -> Key:
    *owner, secret = entry.split(":")
    is_hashed = bool(owner) and owner[-1] == HASHED
    if is_hashed:
        owner.pop()
    if len(owner) > 1:
        raise InvalidInput(f"{which} has too many parts; write TENANT/NAME:KEY")
    hashed = _checked_hash(secret, which) if is_hashed else hash_of(_checked(secret, which))
    tenant, _, name = owner[0].partition("/") if owner else (Caller().tenant, "", "")
    return Key(
        tenant=check_identifier(tenant, f"the tenant of {which}"),
        name=check_identifier(name, f"the name of {which}") if name else hashed[:8],
        hash=hashed,
    )


def _checked(token: str, which: str) -> str:
    how = "make one with `hindsight-memory key`"
    if not _TOKEN.fullmatch(token):
        raise InvalidInput(f"{which} has characters that no bearer token may have; {how}")
    if len(token) < LEAST_CHARACTERS:
        told = f"{which} has {len(token)} characters, and needs {LEAST_CHARACTERS}"
        raise InvalidInput(f"{told} so that nobody can guess it; {how}")
    if len(set(token)) < LEAST_DIFFERENT:
        raise InvalidInput(f"{which} is not random; {how}")
    return token


def _checked_hash(digits: str, which: str) -> str:
    if not _HASH.fullmatch(digits.lower()):
        raise InvalidInput(f"{which}: after {HASHED}: come 64 hexadecimal digits")
    return digits.lower()
