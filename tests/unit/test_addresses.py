"""Host and Origin: what names this server, and nothing that only looks like it."""

import string

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hindsight_memory.core.addresses import Addresses, addresses, host_name, is_loopback
from hindsight_memory.errors import InvalidInput

EVERYWHERE = "0.0.0.0"  # noqa: S104 - a name, nothing is bound to it
OURS = addresses(EVERYWHERE, "Memory.Example.com 10.0.0.7 [2001:db8::7]", "https://app.example.com")
HOSTS = [
    "memory.example.com",
    "10.0.0.7",
    "[2001:db8::7]",
    "localhost",
    "127.0.0.1",
    "[::1]",
]

ports = st.one_of(st.just(""), st.integers(0, 65535).map(":{}".format))


@given(st.sampled_from([*HOSTS, *map(str.upper, HOSTS)]), ports)
def test_a_name_of_ours_is_known_at_any_port_in_any_case(host: str, port: str) -> None:
    header = host + port
    assert OURS.has_host(header)
    assert OURS.has_origin(f"http://{header}")


@given(
    st.one_of(
        st.text(),
        st.builds(
            "{}{}{}".format, st.text(max_size=9), st.sampled_from(HOSTS), st.text(max_size=9)
        ),
    )
)
def test_nothing_else_is(header: str) -> None:
    name, colon, port = header.rpartition(":")
    is_port = bool(colon) and 1 <= len(port) <= 5 and set(port) <= set(string.digits)
    assume({header.lower(), name.lower() if is_port else ""}.isdisjoint(HOSTS))
    assert not OURS.has_host(header)
    assert not OURS.has_origin(f"https://{header}") or header.lower() == "app.example.com"


@pytest.mark.parametrize(
    "header",
    [
        "",
        "evil.example",
        "evil.example@localhost",
        "localhost.evil.example",
        "localhost:80:80",
        "localhost:x",
        "local host",
        "memory.example.com.",
        EVERYWHERE,
        "127.0.0.1#",
        "[::1",
    ],
)
def test_what_only_looks_like_a_name_of_ours_is_none(header: str) -> None:
    assert not OURS.has_host(header)
    assert not OURS.has_origin(f"http://{header}")


@pytest.mark.parametrize(
    ("origin", "may"),
    [
        ("https://app.example.com", True),
        ("HTTPS://APP.example.com", True),
        ("http://app.example.com", False),
        ("https://app.example.com:8443", False),
        ("https://evil.example", False),
        ("null", False),
        ("", False),
        ("chrome-extension://localhost", False),
    ],
)
def test_another_site_may_only_when_it_is_listed_as_it_is(origin: str, *, may: bool) -> None:
    assert OURS.has_origin(origin) is may


def test_the_address_that_a_server_is_bound_to_is_a_name_of_it() -> None:
    assert addresses("192.168.1.5").has_host("192.168.1.5:8080")
    assert not Addresses().has_host("192.168.1.5:8080")


@pytest.mark.parametrize(
    "hosts", ["https://memory.example.com", "memory.example.com:443", "a/b", "a,,*", "-a", "a..b"]
)
def test_what_is_no_host_is_refused(hosts: str) -> None:
    with pytest.raises(InvalidInput, match="is no name of a host; give it without scheme, port"):
        addresses(EVERYWHERE, hosts)


@pytest.mark.parametrize(
    "origins",
    ["app.example.com", "https://app.example.com/", "https://a@b", "null", "*", "https://*.b"],
)
def test_what_is_no_origin_is_refused(origins: str) -> None:
    with pytest.raises(InvalidInput, match="is no origin; give scheme, host and port alone"):
        addresses(EVERYWHERE, origins=origins)


def test_an_editors_pages_may_be_listed() -> None:
    assert addresses("::1", origins="vscode-webview://abc").has_origin("vscode-webview://abc")


@pytest.mark.parametrize(
    ("host", "is_so"),
    [
        ("127.0.0.1", True),
        ("127.0.0.2", True),
        ("localhost", True),
        ("::1", True),
        (EVERYWHERE, False),
        ("::", False),
        ("192.168.1.5", False),
        ("localhost.evil.example", False),
    ],
)
def test_loopback_is_what_only_this_machine_reaches(host: str, *, is_so: bool) -> None:
    assert is_loopback(host) is is_so


def test_a_name_is_what_stands_before_the_port() -> None:
    assert host_name("Example.COM:80") == "example.com"
    assert host_name("[2001:DB8::7]:80") == "2001:db8::7"
