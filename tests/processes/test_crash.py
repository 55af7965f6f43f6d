"""A process that is killed while it writes."""

import re
import subprocess
import sys
from pathlib import Path

CRASH = Path(__file__).parents[2] / "benchmarks" / "crash.py"


def test_a_killed_process_loses_no_acknowledged_write_and_leaves_none_half_written() -> None:
    """`python benchmarks/crash.py` does it 20 times in 500 writes each."""
    command = [sys.executable, str(CRASH), "--kills", "5", "--writes", "100"]
    crash = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    said = re.fullmatch(r"5 kills, (\d+) acknowledged writes, \d+ s: 0 complaints\n", crash.stdout)
    assert said is not None, crash.stdout + crash.stderr
    assert int(said[1]) > 100
    assert crash.returncode == 0
