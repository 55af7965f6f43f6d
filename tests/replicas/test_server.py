"""A Redis that is not as it should be is told in words, and costs nobody time."""

import datetime as dt
import ipaddress
import socket
import ssl
from contextlib import closing
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from redis import Redis
from structlog.testing import capture_logs

from hindsight_memory.errors import InvalidInput, Unavailable
from hindsight_memory.providers.buckets import Buckets
from hindsight_memory.providers.hashing import HashingEmbedder
from hindsight_memory.stores.redis.buckets import RedisBuckets
from hindsight_memory.stores.redis.connection import PAUSE_SECONDS, RedisServer, Shared
from hindsight_memory.stores.redis.sessions import RedisSessions
from hindsight_memory.stores.redis.vectors import SharedEmbedder
from hindsight_memory.testing.fakes import LocalSessions
from hindsight_memory.testing.model_server import ModelServer
from hindsight_memory.testing.redis_server import RedisProcess
from hindsight_memory.testing.relay import Relay
from hindsight_memory.testing.session_suite import a_session, got

NOWHERE = "redis://127.0.0.1:1/0"


def test_a_server_says_what_it_is(server: RedisServer, process: RedisProcess) -> None:
    assert server.look().startswith(f"redis://127.0.0.1:{process.port}/0 answers: ")


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("http://127.0.0.1:6379", "it begins with one of redis, rediss, unix"),
        ("127.0.0.1:6379", "it begins with"),
        ("redis://127.0.0.1:many", "it cannot be read"),
        ("redis://:12/3@127.0.0.1", "databases have numbers"),
        ("redis://:pass#word@127.0.0.1", "in a password write"),
        ("redis://:pass?word@127.0.0.1", "in a password write"),
        ("redis://127.0.0.1/main", "databases have numbers"),
        ("redis://127.0.0.1/0?decode_responses=yes", "no parameter 'decode_responses'"),
        ("redis://127.0.0.1/0?socket_timeout=soon", "socket_timeout"),
        ("redis://127.0.0.1/0?ssl_ca_certs=x", "ssl_ca_certs"),
        ("rediss://127.0.0.1/0?ssl_charm=x", "ssl_charm"),
        ("rediss://127.0.0.1/0?ssl_cert_reqs=maybe", "maybe"),
    ],
)
def test_a_url_that_cannot_be_is_refused_at_once(url: str, told: str) -> None:
    with pytest.raises(InvalidInput, match=f"HINDSIGHT_MEMORY_REDIS_URL: .*{told}") as refused:
        RedisServer.open(url)
    assert "word@" not in str(refused.value)


def test_nothing_that_listens_is_told() -> None:
    with pytest.raises(Unavailable, match=r"redis://127.0.0.1:1/0 cannot be reached.*running\?"):
        RedisServer.open(NOWHERE).look()


def test_one_that_writes_to_a_disk_says_so(tmp_path: Path, server: RedisServer) -> None:
    with (
        RedisProcess(tmp_path, appendonly="yes") as process,
        closing(RedisServer.open(process.url)) as other,
    ):
        assert other.look().endswith("; it writes what is deleted to a disk: appendonly no")
    assert "disk" not in server.look()


@pytest.mark.parametrize("given", ["", ":wrong@", "ann:secret@"])
def test_a_wrong_password_is_told_and_not_repeated(tmp_path: Path, given: str) -> None:
    with RedisProcess(tmp_path, requirepass="secret") as process:
        url = f"redis://{given}127.0.0.1:{process.port}/0"
        with pytest.raises(Unavailable, match="refuses the name or password") as refused:
            RedisServer.open(url).look()
        assert "wrong" not in str(refused.value).replace("WRONGPASS", "")
        assert f"redis://127.0.0.1:{process.port}/0 " in str(refused.value)
        with closing(RedisServer.open(process.url)) as server:
            assert "answers" in server.look()


def test_a_server_of_another_kind_is_told() -> None:
    with ModelServer() as other:
        port = other.url.rpartition(":")[2].partition("/")[0]
        with pytest.raises(Unavailable, match=r"is no Redis|did not answer|broke off"):
            RedisServer.open(f"redis://127.0.0.1:{port}").look()


def test_a_server_that_keeps_silent_is_not_waited_for() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"redis://127.0.0.1:{silent.getsockname()[1]}/0?socket_timeout=0.01"
        with pytest.raises(Unavailable, match="did not answer in time"):
            RedisServer.open(url).look()


def test_a_full_server_is_told(tmp_path: Path) -> None:
    with RedisProcess(tmp_path, maxmemory="1") as process:
        server = RedisServer.open(process.url)
        with pytest.raises(Unavailable, match=r"refused: .*maxmemory"):
            server.ask(lambda redis: redis.set("a", "b"))
        server.close()


def test_one_that_is_away_is_asked_once_a_second_and_told_of_once() -> None:
    asked: list[float] = []
    instant = 0.0
    server = RedisServer.open(NOWHERE, now=lambda: instant)

    def question(redis: Redis) -> object:
        asked.append(instant)
        return redis.get("a")

    with capture_logs() as logs:
        for instant in (0.0, 0.5, 0.9, 1.0, 1.5, 2.5):  # noqa: B007  # the clock
            with pytest.raises(Unavailable):
                server.ask(question)
    assert PAUSE_SECONDS == 1.0
    assert asked == [0.0, 1.0, 2.5]
    assert [each["event"] for each in logs] == ["redis_lost"]


def test_one_that_is_back_is_asked_again(own: RedisProcess) -> None:
    instant = 0.0
    with closing(RedisServer.open(own.url, now=lambda: instant)) as server:
        assert server.ask(lambda redis: redis.set("a", "b")) is True
        own.kill()
        with pytest.raises(Unavailable):
            server.ask(lambda redis: redis.get("a"))
        own.start()
        with pytest.raises(Unavailable, match="asked again in a second"):
            server.ask(lambda redis: redis.get("a"))
        assert "running?" in server.trouble
        instant = 1.0
        assert server.ask(lambda redis: redis.get("a")) is None
        assert server.trouble == ""


def test_a_restart_that_nobody_noticed_costs_no_answer(own: RedisProcess) -> None:
    with closing(RedisServer.open(own.url)) as server:
        server.ask(lambda redis: redis.ping())
        own.kill()
        own.start()
        assert server.ask(lambda redis: redis.get("a")) is None


def test_keys_of_other_parts_and_other_stores_are_other_keys(server: RedisServer) -> None:
    shared = Shared(server, "store")
    keys = {
        shared.key("working", "a", "b"),
        shared.key("working", "ab"),
        shared.key("working", "a:b"),
        shared.key("rate", "a", "b"),
        Shared(server, "other").key("working", "a", "b"),
    }
    assert len(keys) == 5


def test_the_rights_that_the_page_tells_are_enough(process: RedisProcess, raw: Redis) -> None:
    page = (Path(__file__).parents[2] / "docs" / "redis.md").read_text("utf-8")
    [line] = [line for line in page.splitlines() if line.startswith("ACL SETUSER hindsight ")]
    raw.execute_command(*line.split())  # type: ignore[no-untyped-call]
    url = f"redis://hindsight:password@127.0.0.1:{process.port}"
    with closing(RedisServer.open(url)) as server:
        shared = Shared(server, "store")
        sessions = RedisSessions(LocalSessions(), shared)
        sessions.put(a_session())
        assert got(sessions) == a_session()
        sessions.delete("acme", "ann", "s1")
        sessions.delete("acme", "ann")
        RedisBuckets(shared, 1.0, alone=Buckets(1.0)).take("key")
        embedder = SharedEmbedder(HashingEmbedder(8), shared)
        embedder.passages(["茶"])
        embedder.forget(["茶"])
        assert (server.trouble, "answers" in server.look()) == ("", True)
        with pytest.raises(Unavailable, match=r"refused: .*permission"):
            server.ask(lambda redis: redis.flushall())
    raw.acl_deluser("hindsight")


# --- TLS ---


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of 127.0.0.1, signed by itself, with its key in the same file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "test")])
    now = dt.datetime.now(dt.UTC)
    address = x509.IPAddress(ipaddress.ip_address("127.0.0.1"))
    signed = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([address]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    file = tmp_path_factory.mktemp("tls") / "both.pem"
    encoding, plain = serialization.Encoding.PEM, serialization.NoEncryption()
    secret = key.private_bytes(encoding, serialization.PrivateFormat.PKCS8, plain)
    file.write_bytes(secret + signed.public_bytes(encoding))
    return file


def test_under_tls_the_certificate_is_checked(process: RedisProcess, certificate: Path) -> None:
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(certificate)
    with Relay(process.port, tls=tls) as relay:
        url = f"rediss://127.0.0.1:{relay.port}/0"
        with pytest.raises(Unavailable, match="CERTIFICATE_VERIFY_FAILED"):
            RedisServer.open(url).look()
        with closing(RedisServer.open(f"{url}?ssl_ca_certs={certificate}")) as server:
            assert server.look().startswith(f"{url} answers: ")
            assert server.ask(lambda redis: redis.ping()) is True
