"""By which names a server may be addressed, and whose pages may address it.

A page of another site that resolves its own name to this machine (DNS rebinding) sends its own name
in Host and Origin, and cannot send another.
"""

import ipaddress
import re
from dataclasses import dataclass

from hindsight_memory.errors import InvalidInput

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})

EVERY_INTERFACE = frozenset({"0.0.0.0", "::"})  # noqa: S104 - names, nothing is bound to them
"""Addresses to listen at, which nobody is addressed by."""

_NAME = re.compile(r"(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?")
_HOST = re.compile(r"(?P<name>\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(?::[0-9]{1,5})?")
_ORIGIN = re.compile(r"[a-z][a-z0-9+.-]*://[^/?#@\s,]+")
_WEB = re.compile(r"https?://")


@dataclass(frozen=True, slots=True)
class Addresses:
    """hosts: names of this server. origins: sites whose pages may use it, beside its own."""

    hosts: frozenset[str] = LOOPBACK
    origins: frozenset[str] = frozenset()

    def has_host(self, header: str) -> bool:
        """Whether a Host header names this server, at whatever port."""
        return host_name(header) in self.hosts

    def has_origin(self, header: str) -> bool:
        """Whether an Origin header is of this server's own pages, or of a site that may."""
        origin = header.lower()
        return origin in self.origins or _web_host(origin) in self.hosts


def host_name(header: str) -> str | None:
    """What a Host header names, in small letters and without port; None when it is none."""
    found = _HOST.fullmatch(header.lower())
    return found["name"].strip("[]") if found else None


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches what listens at ``host``."""
    if host in LOOPBACK:
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def addresses(host: str, hosts: str = "", origins: str = "") -> Addresses:
    """Those of a server at ``host``. hosts, origins: more of them, between commas or spaces.

    Raises InvalidInput for what no Host or Origin header can be.
    """
    own = {host.lower()} - EVERY_INTERFACE
    return Addresses(
        hosts=LOOPBACK | own | {_checked_host(each) for each in _listed(hosts)},
        origins=frozenset(_checked_origin(each) for each in _listed(origins)),
    )


def _listed(text: str) -> list[str]:
    return re.split(r"[,\s]+", text.strip(" \t\r\n,").lower()) if text.strip(" \t\r\n,") else []


def _checked_host(name: str) -> str:
    try:
        return str(ipaddress.ip_address(name.strip("[]")))
    except ValueError:
        if _NAME.fullmatch(name):
            return name
        raise InvalidInput(
            f"{name!r} is no name of a host; give it without scheme, port and path, "
            "like memory.example.com"
        ) from None


def _checked_origin(origin: str) -> str:
    if _web_host(origin) or (_ORIGIN.fullmatch(origin) and not _WEB.match(origin)):
        return origin
    raise InvalidInput(
        f"{origin!r} is no origin; give scheme, host and port alone, like https://app.example.com"
    )


def _web_host(origin: str) -> str | None:
    found = _WEB.match(origin)
    return host_name(origin[found.end() :]) if found else None
