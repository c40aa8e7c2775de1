"""Limits: what may be written, and that it reads back."""

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimeven.errors import InputError
from claimeven.limit import Limit

limits = st.builds(
    Limit,
    seconds=st.none() | st.floats(0, 1e9, exclude_min=True),
    nodes=st.none() | st.integers(1, 10**18),
    depth=st.none() | st.integers(1, 200),
)


@given(limits)
def test_limits_read_back(limit: Limit) -> None:
    assert Limit.parse(str(limit)) == limit


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("", Limit()),
        ("100ms", Limit(seconds=0.1)),
        ("2s", Limit(seconds=2)),
        ("0.5s", Limit(seconds=0.5)),
        ("5000n", Limit(nodes=5000)),
        ("8d", Limit(depth=8)),
        ("2s,8d,5000n", Limit(2, 5000, 8)),
    ],
)
def test_forms(text: str, limit: Limit) -> None:
    assert Limit.parse(text) == limit


@pytest.mark.parametrize(
    "text", ["5", "s", "-1s", "1.5n", "1e5n", "0n", "0s", "0d", "1s,2s", "1s,100ms", "1s,", "٣s", "1h"]
)
def test_nonsense_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="limit"):
        Limit.parse(text)


@given(st.text(max_size=20))
def test_any_text_is_a_limit_or_an_input_error(text: str) -> None:
    try:
        limit = Limit.parse(text)
    except InputError:
        return
    assert Limit.parse(str(limit)) == limit


@pytest.mark.parametrize(
    "parts", [{"seconds": 0}, {"seconds": float("nan")}, {"seconds": float("inf")}, {"nodes": 0}]
)
@pytest.mark.parametrize("more", [{}, {"depth": True}, {"depth": 1.5}, {"nodes": -3}])
def test_values_are_checked(parts: dict[str, float], more: dict[str, float]) -> None:
    with pytest.raises(InputError):
        Limit(**(parts | more))  # type: ignore[arg-type]


def test_a_stop_event_is_carried() -> None:
    stop = threading.Event()
    assert Limit(stop=stop).stop is stop
