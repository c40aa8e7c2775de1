"""Specs: what is read, what is refused in one sentence, and agents of other packages."""

import json
from collections.abc import Callable
from importlib.metadata import EntryPoint

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimeven import cli
from claimeven.agents import Choice, Kind, agent_names, find_kind, make_agent, registry
from claimeven.agents.option import Option, decimal, rest, switch, weights, whole, word
from claimeven.errors import SpecError
from claimeven.limit import Limit
from claimeven.position import Position

Capture = pytest.CaptureFixture[str]


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("mcts", "mcts"),
        ("mcts:hybrid", "mcts:tt,lgr=2"),
        ("mcts:lgr=2,tt", "mcts:tt,lgr=2"),
        ("mcts:tt=yes,lgr=0", "mcts:tt"),
        ("mcts:simulations=20000,lgr=2", "mcts:simulations=20000,lgr=2"),
        ("mcts:exploration=0.70", "mcts"),
        ("mcts:exploration=1.25", "mcts:exploration=1.25"),
        ("level:7", "level:7"),
        ("level:level=7", "level:7"),
        ("level", "level:5"),
        ("minimax:own=0/1.5/40,preset=a", "minimax:preset=a,own=0/1.5/40"),
        ("minimax:values", "minimax:values"),
        ("process:timeout=2,command=cat -n, x=1", "process:timeout=2,command=cat -n, x=1"),
    ],
)
def test_names_are_the_shortest_specs(spec: str, name: str) -> None:
    assert make_agent(spec, seed=1).name == name


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("", "there is no agent ''; there are random, first"),
        ("mtcs", "there is no agent 'mtcs'; there are random"),
        ("MCTS", "there is no agent 'MCTS'"),
        ("mcts:", "nothing follows the colon"),
        ("mcts:sims=5", "mcts has no option 'sims'; it has simulations, exploration, tt"),
        ("mcts:simulations=0", "simulations must be a whole number from 1 to 2000000000, not '0'"),
        ("mcts:simulations", "simulations must be a whole number"),
        ("mcts:simulations=1e5", "simulations must be a whole number"),
        ("mcts:simulations=٣", "simulations must be a whole number"),
        ("mcts:exploration=nan", "exploration must be a number from 0 to 100"),
        ("mcts:exploration=-1", "exploration must be a number from 0 to 100"),
        ("mcts:tt=maybe", "tt must be yes or no, not 'maybe'"),
        ("mcts:tt,tt", "tt is given twice"),
        ("mcts:hybrid,lgr=1", "lgr is given twice"),
        ("mcts:tt,,lgr=1", "an option is missing at a comma"),
        ("mcts:tt,", "an option is missing at a comma"),
        ("mcts:final=best", "final must be visits or mean, not 'best'"),
        ("level:0", "level must be a whole number from 1 to 10, not '0'"),
        ("level:11", "level must be a whole number from 1 to 10, not '11'"),
        ("level:hard", "level must be a whole number from 1 to 10, not 'hard'"),
        ("random:fast", "random has no options"),
        ("minimax:own=1/x", "own must be numbers from -10000 to 10000 separated by /"),
        ("minimax:own=1/20000", "own must be numbers from -10000 to 10000 separated by /"),
        ("minimax:preset=c", "preset must be claimeven, a, a-source, a-playable, b, b10, d or e, not 'c'"),
        ("process", "process needs command=…"),
        ("process:command=", "command must be given"),
        ("process:command=no-such-program", "there is no program 'no-such-program'"),
        ('process:command="', "no closing quotation"),
        ("kaggle:file=no-such-file.py", "there is no file 'no-such-file.py'"),
    ],
)
def test_bad_specs_get_one_sentence(spec: str, words: str) -> None:
    with pytest.raises(SpecError) as caught:
        make_agent(spec)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


beginnings = st.sampled_from(["", "mcts:", "minimax:", "level:", "kaggle:"])


@given(st.builds(str.__add__, beginnings, st.text(max_size=40)))
def test_any_text_is_an_agent_or_a_spec_error(text: str) -> None:
    if text.startswith("process"):
        return  # would start programs
    complaint = ""
    try:
        make_agent(text)
    except SpecError as error:
        complaint = str(error)
    assert "\n" not in complaint


ANY_OPTION: list[tuple[Option, st.SearchStrategy[object]]] = [
    (switch("o", ""), st.booleans()),
    (whole("o", None, "", 0, 10**12), st.integers(0, 10**12)),
    (decimal("o", 0.5, "", -5.0, 1e6), st.floats(-5, 1e6)),
    (weights("o", None, "", 100.0), st.lists(st.floats(-100, 100), min_size=1, max_size=5).map(tuple)),
    (word("o", None, "", ("yes", "no", "perhaps")), st.sampled_from(["yes", "no", "perhaps"])),
]


@given(st.sampled_from(ANY_OPTION).flatmap(lambda pair: pair[1].map(lambda value: (pair[0], value))))
def test_options_are_read_as_they_are_written(pair: tuple[Option, object]) -> None:
    option, value = pair
    name, _, text = option.text(value).partition("=")  # type: ignore[arg-type]
    assert name == "o"
    assert option.parse(text) == value


# Agents of other packages ------------------------------------------------------------------------


class Last:
    """Plays the last open column."""

    def __init__(self, name: str, shift: int) -> None:
        self.name = name
        self.shift = shift

    def choose(self, position: Position, limit: Limit = Limit()) -> Choice:  # noqa: B008
        column = position.legal[-1 - self.shift]
        return Choice(column, {c: float(c == column) for c in position.legal})


LAST = Kind(
    "last",
    "the last open column",
    lambda name, seed, values: Last(name, values["shift"]),
    (whole("shift", 0, "columns from the last", 0, 3), rest("file", "ignored")),
)
NOT_A_KIND = "something else"


@pytest.fixture
def plugins(monkeypatch: pytest.MonkeyPatch) -> None:
    entries = [
        EntryPoint("last", f"{__name__}:LAST", registry.GROUP),
        EntryPoint("broken", "no_such_module:KIND", registry.GROUP),
        EntryPoint("odd", f"{__name__}:NOT_A_KIND", registry.GROUP),
        EntryPoint("mcts", f"{__name__}:LAST", registry.GROUP),  # ours stays ours
    ]
    monkeypatch.setattr(registry, "entry_points", lambda group: entries if group == registry.GROUP else [])


@pytest.mark.usefixtures("plugins")
def test_other_packages_add_agents() -> None:
    assert agent_names()[-3:] == ["last", "broken", "odd"]
    agent = make_agent("last:shift=1,file=a,b")
    assert agent.name == "last:shift=1,file=a,b"
    assert agent.choose(Position()).column == 5
    assert find_kind("mcts").summary.startswith("Monte Carlo")
    with pytest.raises(SpecError, match="broken cannot be loaded from no_such_module:KIND"):
        make_agent("broken")
    with pytest.raises(SpecError, match=r"is not a claimeven\.agents\.Kind"):
        make_agent("odd")


# claimeven agents --------------------------------------------------------------------------------


def test_agents_lists_everything(capsys: Capture, golden: Callable[[str, str], None]) -> None:
    assert cli.run(["agents"]) == 0
    text = capsys.readouterr().out
    assert max(map(len, text.splitlines())) <= 80
    golden("agents.txt", text)


def test_agents_as_json(capsys: Capture) -> None:
    assert cli.run(["agents", "--json"]) == 0
    agents = json.loads(capsys.readouterr().out)["agents"]
    assert [agent["name"] for agent in agents] == agent_names()
    (mcts,) = (agent for agent in agents if agent["name"] == "mcts")
    assert mcts["shorthands"] == {"hybrid": {"tt": True, "lgr": 2}}
    assert all(option["help"] and option["form"] for agent in agents for option in agent["options"])


@pytest.mark.usefixtures("plugins")
def test_a_broken_plugin_hides_nothing_else(capsys: Capture) -> None:
    assert cli.run(["agents"]) == 0
    out, err = capsys.readouterr()
    assert "the last open column" in out
    assert err.count("\n") == 2
    assert cli.run(["agents", "broken"]) == 2
