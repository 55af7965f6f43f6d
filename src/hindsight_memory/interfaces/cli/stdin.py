"""What is piped in."""

import sys

from hindsight_memory.errors import InvalidInput


def read_bytes() -> bytes:
    return sys.stdin.buffer.read()


def read_text() -> str:
    """All of stdin, without the line end that ``echo`` adds; UTF-8 whatever the locale is."""
    try:
        text = read_bytes().decode()
    except UnicodeDecodeError as error:
        raise InvalidInput(f"stdin is not UTF-8: {error}") from error
    return text.removesuffix("\n").removesuffix("\r")


def is_terminal() -> bool:
    """Whether a person would have to type; nobody waits for that unasked."""
    return sys.stdin.isatty()
