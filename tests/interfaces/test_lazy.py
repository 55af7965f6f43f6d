"""Postponing a package's ``__init__`` changes when it runs, and nothing else."""

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from hindsight_memory.interfaces.mcp.lazy import run_on_first_use


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """One that keeps count of its runs, in a submodule."""
    folder = tmp_path / "a_lazy_package"
    folder.mkdir()
    (folder / "__init__.py").write_text("from .runs import RUNS\nRUNS.append(1)\nNAME = 'here'\n")
    (folder / "runs.py").write_text("RUNS = []\n")
    monkeypatch.syspath_prepend(tmp_path)
    yield folder.name
    for module in (folder.name, f"{folder.name}.runs"):
        sys.modules.pop(module, None)


def test_a_submodule_is_imported_without_its_package(package: str) -> None:
    run_on_first_use(package)
    assert importlib.import_module(f"{package}.runs").RUNS == []


def test_a_name_of_the_package_runs_it_once(package: str) -> None:
    run_on_first_use(package)
    module = importlib.import_module(package)
    assert (module.NAME, module.NAME) == ("here", "here")
    assert module.RUNS == [1]
    with pytest.raises(AttributeError):
        _ = module.NO_NAME


def test_an_imported_package_is_left_alone(package: str) -> None:
    module = importlib.import_module(package)
    run_on_first_use(package)
    assert sys.modules[package] is module
    assert module.RUNS == [1]


def test_a_missing_package_is_missing() -> None:
    with pytest.raises(ModuleNotFoundError, match="no_such_package"):
        run_on_first_use("no_such_package")
