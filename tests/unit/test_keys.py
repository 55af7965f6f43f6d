"""API keys: what the setting means, what it refuses, and that it tells no secret."""

import string

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hindsight_memory.core.keys import (
    HASHED,
    LEAST_CHARACTERS,
    LEAST_DIFFERENT,
    Key,
    Keyring,
    hash_of,
    parse,
)
from hindsight_memory.errors import InvalidInput

A = "hm_Zx8Qk3Lr5Tn7Vb9Wc1Yd2Fg4Hj6KmPpQq"
B = "0123456789abcdef0123456789abcdef"

names = st.text(string.ascii_letters + string.digits + "._-@团队", min_size=1, max_size=20)
tokens = st.text(string.ascii_letters + string.digits + "._~+/-", min_size=32, max_size=80).filter(
    lambda token: len(set(token)) >= LEAST_DIFFERENT
)
owners = st.one_of(st.none(), names, st.tuples(names, names))


def spelled(owner: str | tuple[str, str] | None, secret: str) -> str:
    match owner:
        case None:
            return secret
        case str():
            return f"{owner}:{secret}"
        case tenant, name:
            return f"{tenant}/{name}:{secret}"


def test_a_key_has_the_tenant_and_the_name_that_stand_before_it() -> None:
    text = f"acme/laptop:{A},\n团队:{B}"
    assert parse(text) == (
        Key(tenant="acme", name="laptop", hash=hash_of(A)),
        Key(tenant="团队", name=hash_of(B)[:8], hash=hash_of(B)),
    )


def test_a_bare_key_is_the_default_tenants() -> None:
    assert [each.tenant for each in parse(A)] == ["default"]


@pytest.mark.parametrize("text", ["", " ", ",", " ,\n, "])
def test_nothing_is_no_key(text: str) -> None:
    assert parse(text) == ()


@given(st.lists(st.tuples(owners, tokens), unique_by=lambda each: each[1], max_size=4), st.data())
def test_what_is_spelled_is_read_and_finds_its_tenant_only(
    entries: list[tuple[str | tuple[str, str] | None, str]], data: st.DataObject
) -> None:
    assume(all(owner != HASHED for owner, _ in entries))
    separators = st.sampled_from([",", " ", "\n", " ,\t"])
    text = "".join(spelled(*entry) + data.draw(separators) for entry in entries)
    ring = Keyring(parse(text))
    assert len(ring) == len(entries)
    for owner, token in entries:
        found = ring.find(token)
        assert found is not None
        wanted = owner if isinstance(owner, str) else (owner or ["default"])[0]
        assert found.tenant == wanted
        assert ring.find(token + "x") is None
        assert ring.find(token[:-1]) is None


@given(names, names, tokens)
def test_a_key_by_its_hash_is_the_same_key(tenant: str, name: str, token: str) -> None:
    [plain] = parse(f"{tenant}/{name}:{token}")
    assert parse(plain.spelled()) == (plain,)
    assert token not in plain.spelled()


def told_of(text: str) -> str:
    """How it is refused; "" where it is read."""
    try:
        parse(text)
    except InvalidInput as error:
        return str(error)
    return ""


@given(st.text())
def test_whatever_stands_there_is_read_or_refused(text: str) -> None:
    assert told_of(text) or all(len(key.hash) == 64 and key.tenant for key in parse(text))


@given(st.text(st.characters(exclude_categories=("Z", "C"), exclude_characters=",:"), min_size=32))
def test_a_refusal_repeats_no_secret(secret: str) -> None:
    assert secret not in told_of(f"acme/laptop:{secret}")
    assert secret not in told_of(f"acme/laptop:sha256:{secret}")


@given(st.text())
def test_only_a_key_opens(token: str) -> None:
    assume(token not in {A, B})
    assert Keyring(parse(f"{A},{B}")).find(token) is None


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (A[: LEAST_CHARACTERS - 1], "key 1 has 31 characters, and needs 32 so that nobody can"),
        (f"{A} secret", "key 2 has 6 characters, and needs 32"),
        ("secret" * 6, "key 1 is not random; make one with `hindsight-memory key`"),
        (f"acme:{'密' * 40}", "key 1 has characters that no bearer token may have"),
        (f"{A},other:{A}", "key 2 is there twice; a key has one tenant"),
        (f"a:b:{A}", "key 1 has too many parts; write TENANT/NAME:KEY"),
        (f":{A}", "the tenant of key 1 has 0 characters"),
        ("acme:sha256:abc", "key 1: after sha256: come 64 hexadecimal digits"),
    ],
)
def test_a_bad_key_is_refused_with_what_to_do(text: str, told: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        parse(text)
    assert str(refusal.value).startswith(told)
    assert A not in str(refusal.value)


def test_a_server_keeps_no_key_in_clear() -> None:
    [key] = parse(A)
    assert A not in repr(key)
    assert A not in repr(vars(Keyring([key])))
