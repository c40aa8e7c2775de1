"""What a training came to, as JSON and in words."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from claimeven.notation import plural

if TYPE_CHECKING:
    from claimeven.agents.kinds.qtable import Table

CHECKED_CELLS = 20  # boards up to this size are checked against every reply


def point_line(point: dict[str, Any]) -> str:
    scores = [f"{name} {score['value']:.0%}" for name, score in point["scores"].items()]
    # A board may have no position in which a move could spoil anything: then there is nothing to tell.
    kept = [f"good moves {point['kept']['value']:.1%}"] if point["kept"]["positions"] else []
    return " · ".join([counted(point["games"], "game"), counted(point["states"], "position"), *kept, *scores])


def counted(number: int, noun: str) -> str:
    return f"{number:,} {plural(noun, number)}"


def result(table: "Table", match: str | None) -> dict[str, Any]:
    from dataclasses import asdict

    from claimeven.agents.kinds.qlearning import QLearningAgent
    from claimeven.arena.elo import score_interval
    from claimeven.arena.match import play_match
    from claimeven.learn import check
    from claimeven.runner import Bar

    found: dict[str, Any] = {
        **table.settings(),
        "games": table.games,
        "states": table.states,
        "is_full": table.is_full,
        "point": table.curve[-1] if table.curve else None,
        "checks": None,
        "match": None,
    }
    if table.board.cells <= CHECKED_CELLS:
        with Bar() as bar:
            checks = check(table.best, table.board, bar.count("positions", "against every reply: "))
        found["checks"] = [asdict(each) | {"share": each.share} for each in checks]
    if match is not None:
        played = play_match(
            QLearningAgent("qlearning", table), match, 100, board=table.board, seed=table.seed
        )
        low, high = score_interval(played.pairs)
        found["match"] = {
            "opponent": match,
            "wins": played.wins,
            "draws": played.draws,
            "losses": played.losses,
            "score": played.score,
            "interval": [low, high],
        }
    return found


def lines(result: dict[str, Any], out: Path) -> list[str]:
    positions = counted(result["states"], "position")
    lines = [f"{counted(result['games'], 'game')} on {result['board']}; {positions} in {out}"]
    if result["is_full"]:
        lines.append(f"Note: the table is full; more fits with --megabytes above {result['megabytes']}.")
    for name, score in (result["point"] or {"scores": {}})["scores"].items():
        low, high = score["interval"]
        lines.append(f"score against {name}: {score['value']:.1%} [{low:.1%}, {high:.1%}]")
    for found in result["checks"] or ():
        seat = ("first", "second")[found["side"]]
        lines.append(f"as {seat} player against every reply: {_kept(found)}; {_losses(found)}")
    if (played := result["match"]) is not None:
        low, high = played["interval"]
        lines.append(
            f"match against {played['opponent']}: {played['wins']} won, {played['draws']} drawn,"
            f" {played['losses']} lost; {played['score']:.1%} [{low:.1%}, {high:.1%}]"
        )
    return lines


def _kept(found: dict[str, Any]) -> str:
    count = found["decisive"]
    if not count:
        return "no decisive position was met"
    noun = plural("position", count)
    return f"outcome kept in {found['kept']} of {count} decisive {noun} ({found['share']:.2%})"


def _losses(found: dict[str, Any]) -> str:
    start = {"win": "a won", "draw": "a drawn", "loss": "a lost"}[found["value"]]
    ways = f"lost {found['lost']} {plural('way', found['lost'])}" if found["lost"] else "never lost"
    return f"{ways} from {start} start"
