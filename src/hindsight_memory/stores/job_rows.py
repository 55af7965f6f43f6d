"""A job as a row of plain values and back, for every SQL backend."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields
from datetime import datetime
from typing import Any

from hindsight_memory.core.codec import iso
from hindsight_memory.core.jobs import Job, JobState
from hindsight_memory.errors import Damaged
from hindsight_memory.stores.rows import dump

COLUMNS = tuple(field.name for field in fields(Job))
_TIMES = ("created_at", "updated_at", "due_at", "lease_until")
_OBJECTS = ("payload", "result")


def job_row(job: Job) -> dict[str, Any]:
    plain = {name: getattr(job, name) for name in COLUMNS}
    times = {name: plain[name] and iso(plain[name]) for name in _TIMES}
    objects = {name: dump(dict(plain[name])) for name in _OBJECTS}
    return plain | times | objects | {"state": job.state.value}


def job_of(row: Sequence[Any]) -> Job:
    """``row`` holds the fields of Job in their order. Raises Damaged for what was never written."""
    values: Mapping[str, Any] = dict(zip(COLUMNS, row, strict=True))
    try:
        times = {name: values[name] and datetime.fromisoformat(values[name]) for name in _TIMES}
        objects = {name: json.loads(values[name]) for name in _OBJECTS}
        return Job(**{**values, **times, **objects, "state": JobState(values["state"])})
    except (TypeError, ValueError) as error:
        raise Damaged(f"job {row[0]!r} cannot be read ({error}); restore a backup") from error
