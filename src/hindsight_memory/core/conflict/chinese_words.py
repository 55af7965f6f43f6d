"""Chinese verbs, and what is usually done with them."""

from collections.abc import Mapping

WHOLE = (
    "喝酒",
    "喝茶",
    "抽烟",
    "吸烟",
    "吃肉",
    "吃辣",
    "跑步",
    "开车",
    "骑车",
    "打球",
    "看书",
    "弹琴",
)
"""Verbs with their objects that the dictionary has as one word."""
VERBS: Mapping[str, str] = dict(
    zip(
        "吃喝抽玩打看听读写学用开骑穿弹踢练去做养",
        [
            "eat",
            "drink",
            "smoke",
            "play",
            "play",
            "watch",
            "listen",
            "read",
            "write",
            "study",
            "use",
            "drive",
            "ride",
            "wear",
            "play",
            "play",
            "practice",
            "visit",
            "make",
            "keep",
        ],
        strict=True,
    )
)
FAVORITES = {"颜色": "color", "食物": "eat", "菜": "eat", "饮料": "drink", "饮品": "drink"}
