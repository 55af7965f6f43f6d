"""Memory in an agent's own loop: what failed in one session is not tried in the next.

    python examples/own_loop.py

The model is scripted, so that it runs without a key: like many models it takes every file for
UTF-8, and does what advice says.
"""

import tempfile
from pathlib import Path

from hindsight_memory import Hindsight
from hindsight_memory.agent.session import AgentSession

TASK = "Import orders/january.csv."
ATTEMPTS = 5


def read_file(path: str, encoding: str) -> str:
    """The agent's tool."""
    return Path(path).read_text(encoding)


def model(path: str, failures: int) -> dict[str, str]:
    """Stands in for a language model: the arguments that it calls the tool with."""
    return {"path": path, "encoding": ("utf-8", "gbk")[failures]}


def work(memory: Hindsight, path: str) -> None:
    """One session of the agent."""
    session = AgentSession(memory, project="shop")
    prompt = "You import orders.\n" + session.start(TASK)
    print("prompt:", "knows a lesson" if "gbk" in prompt else "knows nothing")
    session.turn("user", TASK)

    failures = 0
    for _ in range(ATTEMPTS):
        call = model(path, failures)
        advice = session.before_tool("read_file", call)
        if advice.worked_with:
            print(f"memory: {advice.verdict} encoding={call['encoding']}")
            call = {**call, "encoding": str(advice.worked_with["encoding"])}
        try:
            text = read_file(**call)
        except UnicodeDecodeError as error:
            print(f"encoding={call['encoding']}: failed")
            session.after_tool("read_file", call, error=error)
            failures += 1
        else:
            print(f"encoding={call['encoding']}: {text.strip()}")
            session.after_tool("read_file", call, result=text)
            break

    ended = session.end("success")
    for lesson in ended.lessons:
        print(f"learned: {lesson}")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "orders" / "january.csv"
        path.parent.mkdir()
        path.write_text("绿茶,12", "gbk")
        for number in (1, 2):
            print(f"--- session {number}")
            with Hindsight.open(f"sqlite:///{folder}/memory.db") as memory:
                work(memory, str(path))


if __name__ == "__main__":
    main()
