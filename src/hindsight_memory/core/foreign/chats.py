"""Conversations as ChatGPT and Claude export them: turns of the user and of the assistant."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

SPEAKERS: Mapping[str, str] = {"user": "user", "human": "user", "assistant": "assistant"}


def is_chatgpt(document: Any) -> bool:
    return _first(document, "mapping") is not None


def is_claude(document: Any) -> bool:
    return _first(document, "chat_messages") is not None


def chatgpt(document: Any) -> Iterator[dict[str, Any]]:
    """The branch that was open last; answers that were made anew are left."""
    for conversation in _conversations(document):
        branch = _branch(conversation)
        left = len([each for each in conversation["mapping"].values() if each.get("message")])
        session = f"chatgpt-{conversation.get('conversation_id') or conversation.get('id') or ''}"
        for message in branch:
            left -= 1
            author = message.get("author", {}).get("role", "")
            content = message.get("content", {})
            text = _joined(content.get("parts"))
            said_at = message.get("create_time") or conversation.get("create_time")
            if author in SPEAKERS and content.get("content_type") in {"text", "multimodal_text"}:
                yield _turn(SPEAKERS[author], text, session, said_at)
            else:
                yield {"left": "neither the user's nor the assistant's words"}
        yield from [{"left": "on a branch that was given up"}] * left


def claude(document: Any) -> Iterator[dict[str, Any]]:
    for conversation in _conversations(document):
        session = f"claude-{conversation.get('uuid') or ''}"
        for message in conversation["chat_messages"]:
            parts = [
                each.get("text")
                for each in message.get("content") or ()
                if each.get("type") == "text"
            ]
            text = _joined(parts) or str(message.get("text") or "")
            speaker = SPEAKERS.get(str(message.get("sender", "")))
            said_at = message.get("created_at") or conversation.get("created_at")
            if speaker is None:
                yield {"left": "neither the user's nor the assistant's words"}
            else:
                yield _turn(speaker, text, session, said_at)


def _turn(speaker: str, text: str, session: str, said_at: Any) -> dict[str, Any]:
    if not text.strip():
        return {"left": "without words, such as a picture"}
    if said_at is None:
        return {"left": "without a time"}
    when = instant(said_at)
    return {"speaker": speaker, "content": text, "session_id": session, "said_at": when}


def instant(said_at: Any) -> str:
    """ISO 8601, also of seconds since 1970."""
    if isinstance(said_at, int | float):
        return datetime.fromtimestamp(said_at, UTC).isoformat()
    return str(said_at)


def _branch(conversation: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """From the first message to the one that was open last; of all, where none is named."""
    nodes: Mapping[str, Any] = conversation["mapping"]
    at = str(conversation.get("current_node"))
    if at not in nodes:
        return [node["message"] for node in nodes.values() if node.get("message")]
    messages: list[Mapping[str, Any]] = []
    seen: set[str] = set()
    while at in nodes and at not in seen:
        seen.add(at)
        if message := nodes[at].get("message"):
            messages.append(message)
        at = str(nodes[at].get("parent"))
    return messages[::-1]


def _joined(parts: Any) -> str:
    return "\n".join(each for each in parts or () if isinstance(each, str)).strip()


def _conversations(document: Any) -> list[Mapping[str, Any]]:
    whole = document if isinstance(document, list) else [document]
    return [
        each
        for each in whole
        if isinstance(each, Mapping) and ("mapping" in each or "chat_messages" in each)
    ]


def _first(document: Any, key: str) -> Any:
    return next((each[key] for each in _conversations(document) if key in each), None)
