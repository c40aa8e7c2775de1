"""What the terminal says of people who come and go."""

from claimeven.client.words import presence_news


def test_who_leaves_and_who_comes_back() -> None:
    assert presence_news({}, {"ann": "away"}) == ["ann is away"]
    assert presence_news({"ann": "away"}, {"ann": "away"}) == []
    assert presence_news({"ann": "away"}, {}) == ["ann is here again"]


def test_whoever_does_not_come_back_is_not_said_to_be_here() -> None:
    assert presence_news({"ann is": "away"}, {"ann is": "gone"}) == ["ann is is gone"]
