"""Who may go, and who is told how long to wait."""

from hindsight_memory.providers.buckets import Bucket, Buckets


class Hand:
    """A watch that is turned by hand."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def test_a_bucket_gives_what_it_holds_and_then_says_when() -> None:
    watch = Hand()
    bucket = Bucket(2.0, now=watch)
    assert [bucket.try_take() for _ in range(3)] == [0.0, 0.0, 0.5]
    assert bucket.try_take() == 0.5  # to be refused costs nothing
    watch.seconds = 0.5
    assert [bucket.try_take(), bucket.try_take()] == [0.0, 0.5]


def test_a_slow_bucket_holds_one() -> None:
    watch = Hand()
    bucket = Bucket(0.1, now=watch)
    assert [bucket.try_take(), bucket.try_take()] == [0.0, 10.0]


def test_names_do_not_share_a_bucket() -> None:
    buckets = Buckets(1.0, now=Hand())
    assert [buckets.take("a"), buckets.take("b"), buckets.take("a")] == [0.0, 0.0, 1.0]


def test_of_many_names_those_last_used_are_kept() -> None:
    buckets = Buckets(1.0, most=2, now=Hand())
    assert buckets.take("busy") == 0.0
    assert [buckets.take(f"stranger {number}") for number in range(3)] == [0.0, 0.0, 0.0]
    assert buckets.take("busy") == 0.0  # forgotten meanwhile, so it is new
    assert [buckets.take("busy"), buckets.take("stranger 9"), buckets.take("busy")] == [
        1.0,
        0.0,
        1.0,
    ]
    assert len(buckets) == 2
