"""Memory over MCP, as an agent's client asks for it: advice before a call, from the last session.

    python examples/mcp_client.py

Starts `hindsight-memory mcp` by itself, and asks it with the client of the MCP SDK. The model is
scripted, so that it runs without a key: it takes every file for UTF-8, and does what advice says.
"""

import asyncio
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters

TOOL = "read_file"


async def ask(client: Client, operation: str, **arguments: Any) -> dict[str, Any]:
    answer = await client.call_tool(operation, arguments)
    if answer.is_error:
        raise RuntimeError(answer.content)
    return answer.structured_content or {}


async def remember(client: Client, session: str, call: dict[str, str], error: str) -> None:
    outcome = "failure" if error else "success"
    event = {"role": "tool", "tool": TOOL, "arguments": call, "outcome": outcome, "error": error}
    said = f"{TOOL}({call['encoding']}) {error or 'worked'}"
    given = {"content": said, "source": "tool_result", "session_id": session, "event": event}
    await ask(client, "memory_write", **given)


def read_file(path: str, encoding: str) -> str:
    """The agent's tool."""
    return Path(path).read_text(encoding)


async def work(client: Client, session: str, path: str) -> None:
    for encoding in ("utf-8", "gbk"):  # what the model tries, in this order
        call = {"path": path, "encoding": encoding}
        asked = {"tool": TOOL, "arguments": call, "session_id": session}
        advice = await ask(client, "memory_advise", **asked)
        if advice.get("worked_with"):
            print(f"memory: {advice['verdict']} encoding={encoding}")
            call = advice["worked_with"]
        try:
            text = read_file(**call)
        except UnicodeDecodeError as error:
            print(f"encoding={call['encoding']}: failed")
            await remember(client, session, call, f"UnicodeDecodeError: {error}")
        else:
            print(f"encoding={call['encoding']}: {text}")
            await remember(client, session, call, "")
            break
    looked = await ask(client, "memory_retrospect", session_id=session, outcome="success")
    for lesson in looked["lessons"]:
        print(f"{lesson['outcome']}: {lesson['content']}")


async def main(folder: Path, path: str) -> None:
    command = str(Path(sys.executable).with_name("hindsight-memory"))
    store = {"HINDSIGHT_MEMORY_STORE_URL": f"sqlite:///{folder}/memory.db"}
    server = StdioServerParameters(command=command, args=["mcp"], env={**os.environ, **store})
    async with Client(server) as client:
        for number in (1, 2):
            print(f"--- session {number}")
            await work(client, f"session-{number}", path)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / "orders" / "may.csv"
        file.parent.mkdir()
        file.write_text("绿茶,12", "gbk")
        asyncio.run(main(Path(place), str(file)))
