"""The two pipes of this process, taken for the protocol before anything else can use them."""

import os
from dataclasses import dataclass
from typing import BinaryIO


@dataclass(frozen=True, slots=True)
class Pipes:
    """The client's two pipes, on descriptors that nobody else knows."""

    incoming: BinaryIO
    outgoing: BinaryIO


def claim_pipes() -> Pipes:
    """Take stdin and stdout for the protocol, for the rest of the process.

    From then on descriptor 1 is stderr and descriptor 0 is empty, for Python, for C code and for
    child processes: a stray print cannot break a message, and a child cannot eat one. They are not
    given back, because what runs at exit prints too.
    """
    pipes = Pipes(
        incoming=os.fdopen(os.dup(0), "rb"), outgoing=os.fdopen(os.dup(1), "wb", buffering=0)
    )
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return pipes
