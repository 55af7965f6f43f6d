"""PostgreSQL through the doors: by its setting, in doctor, in a dump, and what a purge leaves."""

import json
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from click.testing import CliRunner
from psycopg import sql

from hindsight_memory import Hindsight
from hindsight_memory.core.retrieval import Filter
from hindsight_memory.errors import InvalidInput
from hindsight_memory.interfaces.cli.main import cli
from hindsight_memory.settings import Settings
from hindsight_memory.stores.postgres.store import PostgresStore
from hindsight_memory.testing.postgres_server import Place, PostgresProcess
from hindsight_memory.testing.samples import (
    ANN,
    EAST,
    MODEL,
    a_memory,
    a_recall,
    a_receipt,
    changed,
    put,
    some_changes,
)
from hindsight_memory.wiring import open_store

PEANUT = "对花生过敏 peanut allergy"


@pytest.mark.parametrize("package", ["psycopg", "psycopg_pool"])
def test_without_its_packages_it_is_said_what_to_install(
    place: Place, monkeypatch: pytest.MonkeyPatch, package: str
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(InvalidInput, match=r"pip install 'hindsight-memory\[postgres\]'"):
        open_store(Settings.load(store_url=place.url), "")


def test_the_settings_reach_the_server(place: Place) -> None:
    given = {"store_url": place.url, "store_admin_url": place.admin_url, "store_connections": 3}
    with closing(open_store(Settings.load(**given), MODEL)) as store:
        assert isinstance(store, PostgresStore)
        assert store._database._pool.max_size == 3
        assert store.walls()[0] == "ok"


def doctor(url: str, *options: str) -> tuple[int, dict[str, list[tuple[str, str]]]]:
    """Exit code, and what each check told."""
    variables = {"HINDSIGHT_MEMORY_STORE_URL": url, "HINDSIGHT_MEMORY_EMBEDDER": "hashing:64"}
    result = CliRunner(env=variables).invoke(cli, ["doctor", "--json", *options])
    told: dict[str, list[tuple[str, str]]] = {}
    for finding in json.loads(result.stdout)["findings"]:
        told.setdefault(finding["check"], []).append((finding["state"], finding["told"]))
    return result.exit_code, told


def test_doctor_checks_a_server_as_it_checks_a_file(place: Place) -> None:
    with Hindsight.open(place.url, embedder="hashing:64") as memory:
        memory.write("The user is allergic to peanuts")
    code, told = doctor(place.url)
    assert code == 0
    assert told["integrity"] == [("ok", "rows, indexes, version histories and audit log agree")]
    [(state, walls)] = told["tenants"]
    assert state == "ok"
    assert walls.startswith("PostgreSQL ")
    assert doctor(place.superuser_url)[0] == 1


def test_doctor_repairs_a_server_as_it_repairs_a_file(place: Place) -> None:
    with Hindsight.open(place.url, embedder="hashing:64") as memory:
        memory.write("The user is allergic to peanuts")
        with psycopg.connect(place.superuser_url) as db:
            db.execute("DELETE FROM postings")
        assert memory.memories.parts.store.problems() != []
    code, told = doctor(place.url, "--repair")
    assert code == 0
    assert told["repair"][0] == ("ok", "words, keys and supports of 1 memories")


def test_a_dump_that_is_restored_has_all_of_it(
    postgres: PostgresProcess, place: Place, tmp_path: Path
) -> None:
    kept = [a_memory("1", content=PEANUT), a_memory("2", content="tea", tags=frozenset({"茶"}))]
    with closing(PostgresStore.open(place.url, fingerprint=MODEL)) as store:
        put(store, *kept)
        heads = store.audit_heads()
    other, dump = postgres.new_database(template="template1"), tmp_path / "memory.dump"
    program(postgres, "pg_dump", "--format=custom", f"--file={dump}", place.superuser_url)
    program(postgres, "pg_restore", "--exit-on-error", f"--dbname={other.superuser_url}", str(dump))
    with closing(PostgresStore.open(other.url, fingerprint=MODEL)) as store:
        assert store.every("acme", after="", limit=9) == kept
        assert store.audit_heads() == heads
        assert store.problems() == []
        near = store.candidates(ANN, ["allergy"], EAST, where=Filter(), limit=9).evidence
        assert [each.id for each in near] == ["1", "2"]
        put(store, a_memory("3"))
        assert store.problems() == []
    postgres.drop(other)


def program(postgres: PostgresProcess, name: str, *args: str) -> None:
    subprocess.run([postgres.programs / name, *args], check=True)


def traces(place: Place, *needles: str) -> dict[str, int]:
    """Rows that hold one of them, by table; tables without any are left out."""
    with psycopg.connect(place.superuser_url) as db:
        names = db.execute(
            "SELECT c.relname FROM pg_class c WHERE c.relkind = 'r'"
            " AND c.relnamespace = 'public'::regnamespace"
        ).fetchall()
        counts = {}
        for (name,) in names:
            query = sql.SQL("SELECT count(*) FROM {} t WHERE t::text ~ %s").format(
                sql.Identifier(name)
            )
            [(counts[name],)] = db.execute(query, ("|".join(needles),)).fetchall()
    return {name: count for name, count in counts.items() if count}


def test_a_purge_leaves_no_row_of_it_in_any_table_but_the_log(place: Place) -> None:
    memory = a_memory("purged-id", content=PEANUT, evidence=("other-id",))
    with closing(PostgresStore.open(place.url, fingerprint=MODEL)) as store:
        put(store, memory, a_memory("other-id", related_ids=("purged-id",)))
        put(store, changed(memory, content=f"{PEANUT} 2"), vector=None)
        receipt, recall = a_receipt(memory_id="purged-id"), a_recall(hit_ids=("purged-id",))
        store.apply(some_changes(receipt=receipt, recall=recall))
        assert traces(place, "peanut", "花生", "purged-id") == {
            "memories": 2,
            "revisions": 2,
            "postings": 2,
            "audit": 2,
            "receipts": 1,
            "recalls": 1,
        }
        store.apply(some_changes(purges=("purged-id",)))
        assert store.problems() == []
    assert traces(place, "peanut", "花生") == {}
    assert traces(place, "purged-id") == {"audit": 3}
    with psycopg.connect(place.superuser_url) as db:
        for table in ("vectors", "words", "keys", "unembedded", "supports"):
            found = sql.SQL("SELECT count(*) FROM {} WHERE seq = 1").format(sql.Identifier(table))
            assert db.execute(found).fetchall() == [(0,)]
