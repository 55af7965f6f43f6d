"""What runs in containers names only what there is: commands, paths, ports, variables, checks."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from hindsight_memory.core.model import Caller
from hindsight_memory.interfaces.cli.main import COMMANDS
from hindsight_memory.interfaces.http import create_app
from hindsight_memory.interfaces.operations import OPERATIONS
from hindsight_memory.settings import PREFIX, Settings

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent
KUBERNETES = sorted((ROOT / "deploy" / "kubernetes").glob("*.yaml"))
FILES = [ROOT / "Dockerfile", ROOT / "compose.yaml", ROOT / ".env.example", *KUBERNETES]
USER = 10001


def instructions(name: str) -> list[str]:
    text = (ROOT / "Dockerfile").read_text("utf-8").replace("\\\n", " ")
    lines = [line.split(maxsplit=1) for line in text.splitlines() if line and line[0] != "#"]
    return [rest for kind, rest in lines if kind == name]


def environment() -> dict[str, str]:
    return dict(re.findall(r"(\w+)=(\S+)", instructions("ENV")[-1]))


def compose() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))
    return loaded


def servers() -> dict[str, dict[str, Any]]:
    services = compose()["services"]
    return {name: each for name, each in services.items() if "build" in each}


def manifests() -> list[dict[str, Any]]:
    return [each for file in KUBERNETES for each in yaml.safe_load_all(file.read_text("utf-8"))]


def workloads() -> Iterator[dict[str, Any]]:
    return (each for each in manifests() if each["kind"] == "Deployment")


def container(workload: dict[str, Any]) -> dict[str, Any]:
    [only] = workload["spec"]["template"]["spec"]["containers"]
    found: dict[str, Any] = only
    return found


@pytest.mark.parametrize(
    "check",
    [
        ["hadolint", "--failure-threshold", "info", "Dockerfile"],
        ["check-jsonschema", "--builtin-schema", "vendor.compose-spec", "compose.yaml"],
        ["kubernetes-validate", "--strict", *(str(file) for file in KUBERNETES)],
    ],
    ids=lambda check: check[0],
)
def test_their_own_linters_find_nothing(check: list[str]) -> None:
    result = subprocess.run(
        [BIN / check[0], *check[1:]], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stdout + result.stderr


def test_every_variable_of_ours_is_a_setting() -> None:
    known = {PREFIX + name.upper() for name in Settings.model_fields}
    for file in FILES:
        named = set(re.findall(rf"{PREFIX}\w+", file.read_text("utf-8")))
        assert named <= known, file.name


def test_every_variable_of_compose_is_in_the_example_and_no_other() -> None:
    asked = set(re.findall(r"\$\{(\w+)", (ROOT / "compose.yaml").read_text("utf-8")))
    told = set(re.findall(r"^(\w+)=", (ROOT / ".env.example").read_text("utf-8"), re.MULTILINE))
    assert told == asked | {"COMPOSE_PROFILES"}


def test_no_profile_needs_what_only_another_one_uses() -> None:
    """Compose fills in variables everywhere, also in services that it does not start."""
    needed = re.findall(r"\$\{(\w+):\?", (ROOT / "compose.yaml").read_text("utf-8"))
    assert needed == ["HINDSIGHT_MEMORY_API_KEYS"]


def test_what_the_image_copies_is_there_and_let_through() -> None:
    copied = [each.split()[:-1] for each in instructions("COPY") if not each.startswith("--from")]
    let_through = (ROOT / ".dockerignore").read_text("utf-8").split()
    for name in (name for names in copied for name in names):
        assert (ROOT / name).exists(), name
        assert f"!{name}" in let_through


def test_the_image_runs_a_command_without_root_on_a_port_that_it_tells() -> None:
    [command] = instructions("CMD")
    assert command == '["hindsight-memory", "serve"]'
    assert instructions("USER") == [str(USER)]
    assert instructions("EXPOSE") == [environment()["HINDSIGHT_MEMORY_PORT"]]
    assert environment()["HINDSIGHT_MEMORY_PORT"] == str(Settings.model_fields["port"].default)


def test_what_the_image_keeps_is_in_its_volume() -> None:
    [volume] = instructions("VOLUME")
    assert environment()["HINDSIGHT_MEMORY_STORE_URL"].startswith(f"sqlite:///{volume}/")
    mounts = [mount for each in servers().values() for mount in each.get("volumes", [])]
    assert mounts == [f"memories:{volume}"]


def test_every_command_that_is_run_is_one_of_ours() -> None:
    run = [each["command"] for each in servers().values() if "command" in each]
    run += [container(each)["args"] for each in workloads()]
    known = {*COMMANDS, *(operation.command for operation in OPERATIONS)}
    assert run
    for program, command, *_ in run:
        assert program == "hindsight-memory"
        assert command in known


def test_every_path_that_is_probed_is_served() -> None:
    app = create_app(pytest.fail, Caller())
    served = {getattr(route, "path", "") for route in app.routes}
    [check] = [text for text in instructions("HEALTHCHECK") if "CMD" in text]
    probed = re.findall(r"http://[\d.]+:\d+(/\w+)", check)
    for each in workloads():
        kinds = ("startupProbe", "livenessProbe", "readinessProbe")
        probed += [
            container(each)[kind]["httpGet"]["path"] for kind in kinds if kind in container(each)
        ]
    assert len(probed) == 4
    assert set(probed) <= served


def test_every_port_is_the_one_that_is_served() -> None:
    port = int(environment()["HINDSIGHT_MEMORY_PORT"])
    for each in servers().values():
        assert all(str(published).endswith(f":{port}") for published in each["ports"])
    ports = [
        each["containerPort"] for one in workloads() for each in container(one).get("ports", [])
    ]
    [service] = [each for each in manifests() if each["kind"] == "Service"]
    assert [*ports, service["spec"]["ports"][0]["port"]] == [port, port]


def test_each_service_waits_until_what_it_needs_is_healthy() -> None:
    services = compose()["services"]
    for each in services.values():
        for needed, how in each.get("depends_on", {}).items():
            assert how == {"condition": "service_healthy"}
            assert "test" in services[needed]["healthcheck"]
            assert set(each["profiles"]) <= set(services[needed]["profiles"])


def test_each_profile_has_one_server_at_the_published_port() -> None:
    published = [tuple(each["profiles"]) for each in servers().values() if each["ports"]]
    assert sorted(published) == [("embedded",), ("pgvector",), ("qdrant",)]
    example = (ROOT / ".env.example").read_text("utf-8")
    assert "COMPOSE_PROFILES=embedded\n" in example


def test_every_volume_is_declared_and_used() -> None:
    mounts = [
        mount.split(":")[0]
        for each in compose()["services"].values()
        for mount in each.get("volumes", [])
    ]
    files = {mount for mount in mounts if mount.startswith("./")}
    assert set(mounts) - files == set(compose()["volumes"])
    assert all((ROOT / file).is_file() for file in files)


def test_images_of_others_name_a_version() -> None:
    for each in compose()["services"].values():
        assert re.search(r":v?\d|:local$", each["image"])


def test_the_manifests_are_two_servers_and_a_worker_of_one_configuration() -> None:
    replicas = {each["metadata"]["name"]: each["spec"]["replicas"] for each in workloads()}
    assert replicas == {"hindsight-memory": 2, "hindsight-memory-worker": 1}
    names = {
        each["metadata"]["name"] for each in manifests() if each["kind"] in {"ConfigMap", "Secret"}
    }
    for each in workloads():
        sources = [next(iter(source.values()))["name"] for source in container(each)["envFrom"]]
        assert set(sources) <= names
        assert each["spec"]["template"]["spec"]["securityContext"]["runAsUser"] == USER
        labels = each["spec"]["template"]["metadata"]["labels"]
        assert each["spec"]["selector"]["matchLabels"].items() <= labels.items()
