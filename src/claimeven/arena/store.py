"""The folder of a tournament.

While it runs, `run/` holds the finished pairs (runner/folder.py). When it is over there are `games.jsonl`
(every game in order, as records), `times.jsonl` (when each was played and how long its moves took: what
differs from run to run), `report.html`, and last of all `result.json`: once that is there, all is there.
"""

import json
import shutil
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NoReturn

from claimeven.arena.play.played import Played
from claimeven.arena.play.schedule import Plan
from claimeven.arena.result import FORMAT, VERSION, TournamentResult
from claimeven.errors import InputError
from claimeven.game import read_json_lines
from claimeven.game.record import json_text
from claimeven.runner import write_whole
from claimeven.shapes import read

GAMES, TIMES, RESULT, REPORT, RUN = "games.jsonl", "times.jsonl", "result.json", "report.html", "run"


def prepare(folder: Path, plan: Plan, *, resume: bool) -> bool:
    """Whether the folder already has the finished tournament; one that it should not have is refused."""
    if (folder / RESULT).exists():
        if not resume:
            raise InputError("tournament.finished", folder=folder)
        found, wanted = read_result(folder).plan, plan.settings()
        if found != wanted:
            there = asdict(found)
            names = [name for name, value in asdict(wanted).items() if there[name] != value]
            raise InputError("tournament.another", folder=folder, names=" and ".join(names))
        return True
    if is_begun(folder) and not resume:
        raise InputError("tournament.unfinished", folder=folder)
    if folder.exists() and any(path.name not in (RUN, GAMES, TIMES, REPORT) for path in folder.iterdir()):
        raise InputError("tournament.other_folder", folder=folder)
    if resume and not is_begun(folder):
        raise InputError("tournament.not_begun", folder=folder)
    return False


def is_begun(folder: Path) -> bool:
    """Whether there is something to go on with."""
    return (folder / RUN / "run.json").exists()


@dataclass(frozen=True)
class _Times:
    """One line of `times.jsonl`."""

    game: int
    began: str = ""
    ms: tuple[float, ...] = ()


def write(folder: Path, games: Sequence[Played], result: TournamentResult, report: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    times = [asdict(_Times(game.number, game.began, game.ms)) for game in games]
    write_whole(folder / GAMES, "".join(f"{json_text(game.record)}\n" for game in games).encode())
    write_whole(folder / TIMES, "".join(f"{json.dumps(time)}\n" for time in times).encode())
    write_whole(folder / REPORT, report.encode())
    write_whole(folder / RESULT, f"{json.dumps(asdict(result), indent=1, ensure_ascii=False)}\n".encode())
    shutil.rmtree(folder / RUN, ignore_errors=True)


def read_result(folder: Path) -> TournamentResult:
    path = folder / RESULT
    try:
        found = json.loads(path.read_bytes(), parse_constant=_no_number)
        if not isinstance(found, dict) or found.get("format") != FORMAT or found.get("version") != VERSION:
            raise InputError("tournament.other_file", path=path)
        return read(found, TournamentResult)
    except FileNotFoundError:
        if (folder / RUN).exists():
            raise InputError("tournament.running", folder=folder) from None
        raise InputError("tournament.none", folder=folder, file=RESULT) from None
    except InputError:
        raise
    except ValueError as error:  # no JSON, or of another shape
        raise InputError("tournament.damaged", path=path, reason=str(error)) from None


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is no number")


def read_games(folder: Path, result: TournamentResult) -> list[Played]:
    """The games of a finished tournament, every one replayed."""
    numbers = {name: number for number, name in enumerate(result.names)}
    with open(folder / GAMES, encoding="utf-8") as lines:
        records = [game.record() for game in read_json_lines(lines)]
    times = _read_times(folder, len(records))
    played = []
    for number, (record, time) in enumerate(zip(records, times, strict=True)):
        try:
            first, second = (numbers[player.name] for player in record.players)
            if record.pie == "swapped":  # the one who moved first comes first
                first, second = second, first
        except KeyError as error:
            raise InputError(
                "tournament.stranger", path=folder / GAMES, line=number + 1, name=str(error)
            ) from None
        if record.result is None:
            raise InputError("tournament.no_result", path=folder / GAMES, line=number + 1)
        played.append(Played(number, (first, second), record, time.began, time.ms))
    if len(played) != result.games:
        raise InputError("tournament.lost_games", path=folder / GAMES, n=len(played), of=result.games)
    return played


def _read_times(folder: Path, count: int) -> list[_Times]:
    """Times are a help: without them, or with some that do not fit, the games are still the games."""
    try:
        lines = (folder / TIMES).read_text(encoding="utf-8").splitlines()
        times = [read(json.loads(line), _Times) for line in lines]
        if len(times) == count:
            return times
    except (OSError, ValueError):  # a ShapeError is one
        pass
    return [_Times(number) for number in range(count)]
