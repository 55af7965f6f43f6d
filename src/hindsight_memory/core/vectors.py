"""Arithmetic on embeddings. It imports numpy, so nothing that starts up imports it."""

import numpy as np
from numpy.typing import NDArray

from hindsight_memory.core.model import Vectors


def unit_rows(rows: NDArray[np.floating]) -> Vectors:
    """``rows`` scaled to length 1. A row of zeros, which has no direction, gets the first axis."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    scaled = rows / np.where(lengths > 0, lengths, 1)
    return np.where(lengths > 0, scaled, np.eye(1, rows.shape[1])).astype("f4")
