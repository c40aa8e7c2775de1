"""me: what this machine knows of you, and all of it as one file."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from claimeven.commands.asked.options import JsonOption, print_json, read_input
from claimeven.commands.explain import LanguageOption

if TYPE_CHECKING:
    from claimeven.practice import Record
    from claimeven.reasons.words import Words
    from claimeven.school import Progress

ExportOption = Annotated[
    Path | None,
    typer.Option("--export", metavar="FILE", help="Write everything to one file, for the page, too."),
]
ImportOption = Annotated[
    str | None,
    typer.Option("--import", metavar="FILE", help="Add what such a file has; what is here stays."),
]


def me(
    export: ExportOption = None,
    bring: ImportOption = None,
    language: LanguageOption = "en",
    json: JsonOption = False,
) -> None:
    """Show your rating, cards and games; nothing leaves this machine."""
    from claimeven.practice import read_file, write_file
    from claimeven.reasons.words import Words
    from claimeven.runner import write_whole
    from claimeven.school import Progress
    from claimeven.terminal.diary import Diary
    from claimeven.terminal.schoolbag import Schoolbag
    from claimeven.terminal.shelf import Shelf

    words, diary, bag = Words(language), Diary(), Schoolbag()
    if bring is not None:
        entries, school = read_file(read_input(bring))
        new = diary.bring(entries)
        if school is not None:
            bag.keep(Progress.from_text(_text(school)))
        print(words.say("me.imported", n=new))
        return
    diary.gather(Shelf())
    if export is not None:
        write_whole(export, f"{write_file(diary.entries, bag.progress.to_json())}\n".encode())
        print(words.say("me.exported", n=len(diary.entries), file=export))
        return
    record = diary.record
    if json:
        print_json({**_data(record), "school": bag.progress.to_json()})
    else:
        known = _lines(record, words)
        is_new = not known and bag.progress.is_empty
        print(words.say("me.first") if is_new else "\n".join([_school(bag.progress, words), *known]))


def _text(value: object) -> str:
    import json

    return json.dumps(value)


def _now() -> int:
    from claimeven.terminal.diary import milliseconds

    return milliseconds()


def _days(record: "Record") -> int:
    from datetime import date

    from claimeven.practice import days_in_a_row

    return days_in_a_row(record.days, date.today())


def _school(progress: "Progress", words: "Words") -> str:
    """How many units are passed, and what comes next."""
    from claimeven.school import UNITS, Voice, unit

    if progress.next_unit is None:
        return words.say("me.school_done", all=len(UNITS))
    following = unit(progress.next_unit)
    task = progress.next_task(following)
    what = (
        words.say("me.check") if task is None else words.say("me.task", number=task, all=len(following.tasks))
    )
    passed = sum(progress.of(name).is_passed for name in UNITS)
    title = Voice(following.name, words.language).written("title")
    said = words.say("me.school", n=passed, all=len(UNITS))
    return words.say("me.school_next", school=said, title=title, what=what)


def _lines(record: "Record", words: "Words") -> list[str]:
    """A few lines; what there is nothing of is left out."""
    you, found = record.you, list[str]()
    if record.tried:
        code = "me.rating_new" if you.is_provisional else "me.rating"
        found.append(words.say(code, rating=you.shown, deviation=round(you.deviation)))
        found.append(words.say("me.solved", n=len(record.solved), tried=len(record.tried)))
    if record.cards:
        found.append(words.say("me.cards", n=len(record.due(_now())), all=len(record.cards)))
    if record.days:
        found.append(words.say("me.days", n=_days(record), all=len(record.days)))
    if any(record.best.values()):
        found.append(words.say("me.best", streak=record.best["streak"], timed=record.best["timed"]))
    if record.themes:
        found += ["", words.say("me.themes")]
        weakest = sorted(record.themes.items(), key=lambda item: item[1][0] / item[1][1])
        found += [
            f"  {words.say(f'theme.{name}')}: {solved}/{tried}"
            for name, (solved, tried) in weakest
            if f"theme.{name}" in words.messages
        ]
    if record.levels:
        found += ["", words.say("me.games")]
        found += [f"  {name}: {won} / {drawn} / {lost}" for name, (won, drawn, lost) in record.levels.items()]
    return found


def _data(record: "Record") -> dict[str, object]:
    return {
        "rating": record.you.rating,
        "deviation": record.you.deviation,
        "curve": [{"at": at, "rating": rating} for at, rating in record.curve],
        "tried": len(record.tried),
        "solved": len(record.solved),
        "themes": {name: {"solved": s, "tried": t} for name, (s, t) in record.themes.items()},
        "cards": {"due": len(record.due(_now())), "all": len(record.cards)},
        "days": {"in_a_row": _days(record), "all": sorted(record.days)},
        "best": record.best,
        "levels": {name: {"won": w, "drawn": d, "lost": x} for name, (w, d, x) in record.levels.items()},
        "games": list(record.games.values()),
    }
