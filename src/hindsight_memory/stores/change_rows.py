"""What a change leaves beside memories as rows of plain values and back, for every SQL backend."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from hindsight_memory.core.changes import Injection, Recall, Receipt, Rejection, Revision
from hindsight_memory.core.codec import iso
from hindsight_memory.core.model import Outcome
from hindsight_memory.core.sessions import SessionState
from hindsight_memory.stores.rows import dump


def revision_row(revision: Revision, tenant: str) -> dict[str, Any]:
    return {
        "id": revision.memory_id,
        "version": revision.version,
        "tenant": tenant,
        "at": iso(revision.at),
        "actor": revision.actor,
        "operation": revision.operation,
        "reason": revision.reason,
        "before": dump(dict(revision.before)),
    }


def receipt_row(receipt: Receipt, tenant: str) -> dict[str, Any]:
    return {
        "tenant": tenant,
        "user_id": receipt.user_id,
        "key": receipt.key,
        "request_digest": receipt.request_digest,
        "outcome": receipt.outcome.value,
        "reason": receipt.reason,
        "memory_id": receipt.memory_id,
    }


def receipt_of(row: Sequence[Any]) -> Receipt:
    key, user_id, request_digest, outcome, reason, memory_id = row
    return Receipt(
        key=key,
        user_id=user_id,
        request_digest=request_digest,
        outcome=Outcome(outcome),
        reason=reason,
        memory_id=memory_id,
    )


def rejection_row(rejection: Rejection, tenant: str) -> dict[str, Any]:
    return {
        "tenant": tenant,
        "user_id": rejection.user_id,
        "key": rejection.key,
        "memory_id": rejection.memory_id,
        "trust": rejection.trust,
        "at": iso(rejection.at),
    }


def rejection_of(row: Sequence[Any]) -> Rejection:
    key, user_id, memory_id, trust, at = row
    return Rejection(
        key=key,
        user_id=user_id,
        memory_id=memory_id,
        trust=trust,
        at=datetime.fromisoformat(at),
    )


def injection_row(injection: Injection, tenant: str) -> dict[str, Any]:
    return {
        "tenant": tenant,
        "user_id": injection.user_id,
        "session_id": injection.session_id,
        "memory_id": injection.memory_id,
        "digest": injection.digest,
        "at": iso(injection.at),
    }


def injection_of(row: Sequence[Any]) -> Injection:
    user_id, session_id, memory_id, digest, at = row
    return Injection(
        user_id=user_id,
        session_id=session_id,
        memory_id=memory_id,
        digest=digest,
        at=datetime.fromisoformat(at),
    )


def recall_row(recall: Recall) -> dict[str, Any]:
    return {
        "id": recall.id,
        "tenant": recall.tenant,
        "user_id": recall.user_id,
        "at": iso(recall.at),
        "hit_ids": dump(list(recall.hit_ids)),
        "used_ids": dump(list(recall.used_ids)),
        "helped": None if recall.helped is None else int(recall.helped),
    }


def recall_of(row: Sequence[Any]) -> Recall:
    recall_id, tenant, user_id, at, hit_ids, used_ids, helped = row
    return Recall(
        id=recall_id,
        tenant=tenant,
        user_id=user_id,
        at=datetime.fromisoformat(at),
        hit_ids=tuple(json.loads(hit_ids)),
        used_ids=tuple(json.loads(used_ids)),
        helped=None if helped is None else bool(helped),
    )


def session_state_of(row: Sequence[Any]) -> SessionState:
    session_id, episodes, last_id, touched_at = row
    return SessionState(
        session_id=session_id,
        episodes=episodes,
        last_id=last_id,
        touched_at=datetime.fromisoformat(touched_at),
    )
