"""Suites are tests, though they live in the package: their assertions explain themselves too."""

from importlib import resources

import pytest

SUITES = [
    f"hindsight_memory.testing.{module.name.removesuffix('.py')}"
    for module in resources.files("hindsight_memory.testing").iterdir()
    if module.name.startswith("store_")
]
pytest.register_assert_rewrite(*SUITES)
