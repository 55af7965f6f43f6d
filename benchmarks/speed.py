"""How fast and how heavy it is: ``python benchmarks/speed.py``.

Side by side with the bare embedder in one run, because machines and their moods differ: look at
ratios and differences. Nothing is kept between runs but the report.
"""

import sys
from collections.abc import Callable, Mapping
from types import MappingProxyType

import processes
import timing
from common import Report, arguments

PARTS: Mapping[str, Callable[[Report], None]] = MappingProxyType(
    {
        "start": processes.start,
        "write": timing.write,
        "search": timing.search,
        "memory": processes.memory,
        "install": processes.install,
    }
)


def main() -> int:
    given = arguments(__doc__ or "", PARTS).parse_args()
    wanted = [part.strip() for part in given.only.split(",")]
    report = Report()
    for name, measure in PARTS.items():
        if name in wanted:
            measure(report)
    return report.finish(given.json)


if __name__ == "__main__":
    sys.exit(main())
