"""What a submission must know of an agent: plain values made from its spec."""

from typing import Any

from claimeven.agents import Kind, find_kind
from claimeven.agents.kinds.level import HIGHEST, PLAYERS, evaluation_for
from claimeven.agents.kinds.weights import PRESETS, SCALE, Evaluation, evaluation_of
from claimeven.errors import SpecError

EXPORTED = "perfect, level:N, minimax and mcts"
MANY = 2**63 - 1  # simulations: time comes first


def player_of(spec: str) -> dict[str, Any]:
    """The kind of player and its parameters, as `export/parts/players.py` reads them."""
    name, _, options = spec.partition(":")
    kind = find_kind(name)
    if name not in MAKERS:
        raise SpecError("export.agent", name=name, known=EXPORTED)
    return MAKERS[name](kind, kind.parse(options))


def _perfect(kind: Kind, values: dict[str, Any]) -> dict[str, Any]:
    _only(kind, values, ())
    return {"kind": "perfect", "weights": _numbers(PRESETS["claimeven"])}


def _minimax(kind: Kind, values: dict[str, Any]) -> dict[str, Any]:
    names = ("depth", "depth_by_width")
    weights = {option.name for option in kind.options} - {"ties", "values", "megabytes", *names}
    _only(kind, values, (*names, *weights))
    return {
        "kind": "minimax",
        "weights": _numbers(evaluation_of(values)),
        **{name: values[name] for name in names},
    }


def _level(kind: Kind, values: dict[str, Any]) -> dict[str, Any]:
    level = values["level"]
    if level == HIGHEST:
        return _perfect(find_kind("perfect"), find_kind("perfect").parse(""))
    player = PLAYERS[level]
    return {
        "kind": "level",
        "weights": _numbers(evaluation_for(player), player.noise, player.miss),
        "depth": player.depth,
        "lapse": player.lapse,
        "is_attentive": player.is_attentive,
    }


def _mcts(kind: Kind, values: dict[str, Any]) -> dict[str, Any]:
    _only(kind, values, {option.name for option in kind.options} - {"reuse"})
    return {
        "kind": "mcts",
        "simulations": values["simulations"] or MANY,
        "table": values["table"] if values["tt"] else 0,
        **{name: int(values[name]) for name in ("lgr", "forget", "solver", "decisive")},
        **{name: values[name] for name in ("exploration", "final")},
        "megabytes": float(values["megabytes"]),
    }


MAKERS = {"perfect": _perfect, "minimax": _minimax, "level": _level, "mcts": _mcts}


def _only(kind: Kind, values: dict[str, Any], names: Any) -> None:
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
