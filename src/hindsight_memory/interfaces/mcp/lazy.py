"""Packages whose ``__init__`` runs only when somebody asks for a name that it defines."""

import importlib.util
import sys
from typing import Any


def run_on_first_use(package: str) -> None:
    """Make the submodules of ``package`` importable without running its ``__init__``.

    The first use of any other name in it runs it, so nobody sees a difference but in time.
    A package that is imported already is left alone.
    """
    if package in sys.modules:
        return
    spec = importlib.util.find_spec(package)
    if spec is None or spec.loader is None:
        raise ModuleNotFoundError(f"no package {package!r}", name=package)
    loader, module = spec.loader, importlib.util.module_from_spec(spec)

    def run_and_get(name: str) -> Any:
        if name.startswith("__"):  # the import system and debuggers look around, and need nothing
            raise AttributeError(f"module {package!r} has no attribute {name!r}", name=name)
        del module.__dict__["__getattr__"]
        loader.exec_module(module)
        return getattr(module, name)

    module.__dict__["__getattr__"] = run_and_get
    sys.modules[package] = module
    parent, _, name = package.rpartition(".")
    if parent:
        setattr(sys.modules[parent], name, module)
