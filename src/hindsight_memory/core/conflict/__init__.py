"""Conflict resolution: what a newer statement of a user means for an older one. Pure, no model.

``slots`` says what a text gives which attribute. ``judge`` compares two statements: a claim of the
newer has to contradict one of the older (``contradiction``), and no rung of the ladder (``ladder``)
may forbid to retire it. ``settle`` weighs the sources. In doubt both are kept: a fact too many is
corrected later, a true one that was retired is lost. ``likeness`` compares word by word what the
tables leave open (``is_open``). ``rejection_key`` recognises a rejected text.

English is read by ``english*``, Chinese by ``chinese*``, both by tables; what things are called in
either is in ``attributes``, ``kinds`` and ``places``.
"""

from hindsight_memory.core.conflict.alike import is_open, likeness
from hindsight_memory.core.conflict.ladder import judge
from hindsight_memory.core.conflict.model import (
    Disposition,
    Judgement,
    Polarity,
    Resolution,
    Slot,
    Statement,
    Verdict,
)
from hindsight_memory.core.conflict.reading import slots
from hindsight_memory.core.conflict.rejection import claims_the_same, rejection_key
from hindsight_memory.core.conflict.settling import settle

__all__ = [
    "Disposition",
    "Judgement",
    "Polarity",
    "Resolution",
    "Slot",
    "Statement",
    "Verdict",
    "claims_the_same",
    "is_open",
    "judge",
    "likeness",
    "rejection_key",
    "settle",
    "slots",
]
