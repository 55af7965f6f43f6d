"""Looking back over episodes: what they show, in which words, and how far that can be believed.

A new kind of pattern is a row of ``core.induction.RULES``, of ``lessons.KINDS`` and of the
wordings, and a function that finds it in a session.
"""
