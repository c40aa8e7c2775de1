"""The folder of a tournament.

While it runs, `run/` holds the finished pairs (runner/folder.py). When it is over there are `games.jsonl`
(every game in order, as records), `times.jsonl` (when each was played and how long its moves took: what
differs from run to run), `report.html`, and last of all `result.json`: once that is there, all is there.
"""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from claimeven.arena.played import Played
from claimeven.arena.schedule import Plan
from claimeven.arena.standings import FORMAT, VERSION
from claimeven.errors import InputError
from claimeven.game import read_json_lines
from claimeven.game.record import json_text
from claimeven.runner import write_whole

GAMES, TIMES, RESULT, REPORT, RUN = "games.jsonl", "times.jsonl", "result.json", "report.html", "run"


def prepare(folder: Path, plan: Plan, *, resume: bool) -> bool:
    """Whether the folder already has the finished tournament; one that it should not have is refused."""
    if (folder / RESULT).exists():
        if not resume:
            raise InputError(f"{folder} holds a finished tournament; choose another folder")
        found = read_result(folder)["plan"]
        if found != json.loads(json.dumps(plan.parameters())):
            names = [name for name, value in plan.parameters().items() if found.get(name) != value]
            raise InputError(f"{folder} holds another tournament: other {' and '.join(names)}")
        return True
    if is_begun(folder) and not resume:
        raise InputError(f"{folder} holds an unfinished tournament: --resume goes on with it")
    if folder.exists() and any(path.name not in (RUN, GAMES, TIMES, REPORT) for path in folder.iterdir()):
        raise InputError(f"{folder} is neither empty nor the folder of a tournament")
    if resume and not is_begun(folder):
        raise InputError(f"{folder} holds no tournament to go on with: without --resume, one is begun")
    return False


def is_begun(folder: Path) -> bool:
    """Whether there is something to go on with."""
    return (folder / RUN / "run.json").exists()


def write(folder: Path, games: Sequence[Played], result: dict[str, Any], report: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    times = [{"game": game.number, "began": game.began, "ms": game.ms} for game in games]
    write_whole(folder / GAMES, "".join(f"{json_text(game.record)}\n" for game in games).encode())
    write_whole(folder / TIMES, "".join(f"{json.dumps(time)}\n" for time in times).encode())
    write_whole(folder / REPORT, report.encode())
    write_whole(folder / RESULT, f"{json.dumps(result, indent=1, ensure_ascii=False)}\n".encode())
    shutil.rmtree(folder / RUN, ignore_errors=True)


def read_result(folder: Path) -> dict[str, Any]:
    path = folder / RESULT
    try:
        found = json.loads(path.read_bytes())
    except FileNotFoundError:
        if (folder / RUN).exists():
            raise InputError(f"{folder}: the tournament is not finished") from None
        raise InputError(f"{folder} holds no tournament: there is no {RESULT}") from None
    except ValueError:
        raise InputError(f"{path} is damaged") from None
    if not isinstance(found, dict) or found.get("format") != FORMAT or found.get("version") != VERSION:
        raise InputError(f"{path} is no result of a tournament that this program can read")
    return found


def read_games(folder: Path, result: dict[str, Any]) -> list[Played]:
    """The games of a finished tournament, every one replayed."""
    numbers = {agent["name"]: number for number, agent in enumerate(result["agents"])}
    with open(folder / GAMES, encoding="utf-8") as lines:
        records = [game.record() for game in read_json_lines(lines)]
    times = _read_times(folder, len(records))
    played = []
    for number, (record, time) in enumerate(zip(records, times, strict=True)):
        try:
            first, second = (numbers[player.name] for player in record.players)
        except KeyError as error:
            raise InputError(f"{folder / GAMES}: line {number + 1}: {error} did not take part") from None
        if record.result is None:
            raise InputError(f"{folder / GAMES}: line {number + 1}: the game has no result")
        played.append(Played(number, (first, second), record, time.get("began", ""), tuple(time["ms"])))
    if len(played) != result["games"]:
        raise InputError(f"{folder / GAMES}: {len(played)} games, but the result is of {result['games']}")
    return played


def _read_times(folder: Path, count: int) -> list[dict[str, Any]]:
    """Times are a help: without them, or with some that do not fit, the games are still the games."""
    try:
        times = [json.loads(line) for line in (folder / TIMES).read_text(encoding="utf-8").splitlines()]
        if len(times) == count and all(isinstance(time["ms"], list) for time in times):
            return times
    except (OSError, ValueError, KeyError, TypeError):
        pass
    return [{"ms": ()} for _ in range(count)]
