"""Word lists and tables written as text, so that a line holds many words and a diff shows one."""

from collections.abc import Iterator


def word_set(words: str) -> frozenset[str]:
    """Words with spaces between them; in one of several words they are written "_"."""
    return frozenset(word.replace("_", " ") for word in words.split())


def entries(text: str) -> Iterator[tuple[str, str]]:
    """Name and rest of each entry of a table.

    An entry is a line "name: rest", and the indented lines after it go on with the rest.
    """
    name, rest = "", list[str]()
    for line in text.splitlines():
        if line[:1].isspace():
            rest.append(line.strip())
        elif line:
            if name:
                yield name, "\n".join(rest)
            name, _, first = line.partition(":")
            rest = [first.strip()] if first.strip() else []
    if name:
        yield name, "\n".join(rest)
