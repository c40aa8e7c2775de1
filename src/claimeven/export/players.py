"""Who plays in a submission, made from the spec of an agent."""

from collections.abc import Collection

from claimeven.agents import Kind, find_kind
from claimeven.agents.kind import Values
from claimeven.agents.kinds.level import HIGHEST, LADDERS, evaluation_for
from claimeven.agents.kinds.weights import PRESETS, SCALE, Evaluation, evaluation_of
from claimeven.errors import SpecError
from claimeven.export.parts.engine import Tree
from claimeven.export.parts.players import Level, Mcts, Minimax, Perfect

EXPORTED = "perfect, level:N, minimax and mcts"
Player = Perfect | Minimax | Level | Mcts
MANY = 2**63 - 1  # simulations: time comes first


def player_of(spec: str) -> Player:
    """The player of `export/parts/players.py` that plays like the agent of this spec."""
    name, _, options = spec.partition(":")
    kind = find_kind(name)
    if name not in MAKERS:
        raise SpecError("export.agent", name=name, known=EXPORTED)
    return MAKERS[name](kind, kind.parse(options))


def _perfect(kind: Kind, values: Values) -> Player:
    _only(kind, values, ())
    return Perfect(_numbers(PRESETS["claimeven"]))


def _minimax(kind: Kind, values: Values) -> Player:
    weights = {option.name for option in kind.options} - {"ties", "values", "megabytes"}
    _only(kind, values, weights)
    return Minimax(_numbers(evaluation_of(values)), values["depth"], values["depth_by_width"])


def _level(kind: Kind, values: Values) -> Player:
    level = values["level"]
    if level == HIGHEST:
        return _perfect(find_kind("perfect"), find_kind("perfect").parse(""))
    player = LADDERS[values["ladder"]][level]
    weights = _numbers(evaluation_for(player), player.noise, player.miss)
    return Level(weights, player.depth, player.lapse, player.is_attentive)


def _mcts(kind: Kind, values: Values) -> Player:
    _only(kind, values, {option.name for option in kind.options} - {"reuse"})
    tree = Tree(
        exploration=values["exploration"],
        lgr=values["lgr"],
        forget=int(values["forget"]),
        solver=int(values["solver"]),
        decisive=int(values["decisive"]),
        megabytes=float(values["megabytes"]),
        table=values["table"] if values["tt"] else 0,
    )
    return Mcts(values["simulations"] or MANY, tree, values["final"])


MAKERS = {"perfect": _perfect, "minimax": _minimax, "level": _level, "mcts": _mcts}


def _only(kind: Kind, values: Values, names: Collection[str]) -> None:
    """Options that a submission does not know must be left at their defaults."""
    for option in kind.options:
        if option.name not in names and values[option.name] != option.default:
            raise SpecError("export.option", agent=kind.name, option=option.name)


def _numbers(evaluation: Evaluation, noise: float = 0.0, miss: tuple[float, float] = (0, 0)) -> list[float]:
    """The weights in the order in which native/engine/engine_agents.cpp reads them."""
    e = evaluation
    row: list[float] = []
    for weights in (e.own, e.their, e.own_runs, e.their_runs):
        row += [len(weights), *_scaled(weights)]
    row += [("all", "level", "playable").index(e.threats), ("windows", "top").index(e.vertical)]
    row += _pair(e.center) + _pair(e.height) + _pair(e.drop)
    row += [("through", "start").index(e.drop_windows)]
    row += _pair(e.parity) + _pair(e.zugzwang)
    return [*row, noise * SCALE, *miss]


def _scaled(weights: tuple[float, ...]) -> list[float]:
    return [round(weight * SCALE) for weight in weights]


def _pair(weights: tuple[float, ...]) -> list[float]:
    return _scaled((*weights, 0.0, 0.0))[:2]
