"""When a query speaks of: last Tuesday, 5月2日, since March, 上周三下午.

``find_time`` reads English and Chinese by tables: ``rows`` names times, ``relations`` the words
beside them, ``words`` the vocabulary, ``periods`` is the calendar.
"""

from hindsight_memory.core.time.find import TimeSpan, find_time

__all__ = ["TimeSpan", "find_time"]
