"""A review as one HTML page: no scripts from elsewhere, no network; light and dark as the reader likes it."""

from html import escape
from typing import Protocol

from claimeven import notation
from claimeven.game import Game
from claimeven.picture import position_svg
from claimeven.reasons.reviewed.moments import (
    ERRORS,
    SLIPS,
    Accuracy,
    Moment,
    ReviewedMove,
    TurningPoint,
    accuracy_text,
    moment_text,
)
from claimeven.reasons.reviewed.voice import Voice
from claimeven.reasons.words import Words

STYLE = """
:root { color-scheme: light dark; --paper: #fbfaf7; --card: #ffffff; --ink: #1d2430; --soft: #5b6472;
  --edge: #dcdfe5; --first: #b71c1c; --second: #8a6d00; --accent: #1f4e8c; }
@media (prefers-color-scheme: dark) { :root { --paper: #14181f; --card: #1d232d; --ink: #eceff4;
  --soft: #a3adbb; --edge: #343c49; --first: #ff8a80; --second: #ffe082; --accent: #8ab4f8; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 17px/1.55 system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
main { max-width: 62rem; margin: 0 auto; padding: 2.2rem 1.2rem 4rem; }
h1 { font-size: 1.9rem; margin: 0 0 .4rem; } h2 { font-size: 1.25rem; margin: 2.4rem 0 .8rem; }
p.story { font-size: 1.1rem; margin: 0 0 1.4rem; }
.lead { color: var(--soft); margin: 0 0 1.2rem; }
.scores { display: grid; grid-template-columns: repeat(auto-fit, minmax(16rem, 1fr)); gap: 1rem; }
.card { background: var(--card); border: 1px solid var(--edge); border-radius: 14px; padding: 1rem 1.2rem; }
.big { font-size: 2rem; font-weight: 700; line-height: 1.1; }
.point { display: grid; grid-template-columns: minmax(0, 17rem) 1fr; gap: 1.4rem; margin: 0 0 1.2rem; }
.point svg { width: 100%; height: auto; } .point p { margin: .3rem 0 .7rem; }
@media (max-width: 40rem) { .point { grid-template-columns: 1fr; } }
.moves { display: flex; flex-wrap: wrap; gap: .4rem; padding: 0; margin: 0; list-style: none; }
.moves li { border: 1px solid var(--edge); border-radius: 9px; padding: .15rem .55rem;
  background: var(--card); }
.moves small { color: var(--soft); }
.error { border-color: currentColor !important; font-weight: 600; }
.x { color: var(--first); } .o { color: var(--second); }
summary { cursor: pointer; color: var(--accent); font-weight: 600; }
.graph { width: 100%; height: auto; } .graph text { fill: var(--soft); font: 19px system-ui, sans-serif; }
.zero { stroke: var(--soft); stroke-dasharray: 4 4; } .curve { fill: none; stroke: var(--accent);
  stroke-width: 3; stroke-linejoin: round; } .area { fill: var(--accent); opacity: .14; }
"""

WIDTH, HEIGHT, LEFT, EDGE = 900, 260, 130, 18  # of the graph, in its own units


class Reviewed(Protocol):
    """What the page shows of a review."""

    @property
    def game(self) -> Game: ...
    @property
    def language(self) -> str: ...
    @property
    def moves(self) -> tuple[ReviewedMove, ...]: ...
    @property
    def values(self) -> tuple[int | None, ...]: ...
    @property
    def accuracy(self) -> tuple[Accuracy, Accuracy]: ...
    @property
    def turning_points(self) -> tuple[TurningPoint, ...]: ...
    @property
    def moments(self) -> tuple[Moment, ...]: ...
    @property
    def tip(self) -> str: ...
    @property
    def story(self) -> tuple[str, ...]: ...
    @property
    def voice(self) -> Voice: ...


def review_page(review: Reviewed) -> str:
    words = Words(review.language)
    title = escape(words.say("review.title"))
    parts = [
        f'<!doctype html>\n<html lang="{review.language}"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{title}</title><style>{STYLE}</style></head><body><main>",
        f"<h1>{title}</h1><p class='lead'>{escape(_headline(review))}</p>",
        f"<p class='story'>{escape(' '.join(review.story))}</p>" if review.story else "",
        _accuracies(review),
    ]
    if review.moments:  # the questions before the moments, which tell the answers
        parts.append(f"<h2>{escape(words.say('review.learn'))}</h2>")
        parts += [_lesson(moment, words) for moment in review.moments]
    parts += [
        f"<h2>{escape(words.say('review.value'))}</h2><div class='card'>{graph(review, words)}</div>",
        f"<h2>{escape(words.say('review.moves'))}</h2><ol class='moves'>",
        *[_move(move, words) for move in review.moves],
        "</ol>",
        f"<h2>{escape(words.say('review.moments'))}</h2>",
        *([_moment(moment) for moment in review.moments] or [_no_moments(review, words)]),
    ]
    if review.tip:
        parts.append(f"<p class='tip'>{escape(review.tip)}</p>")
    if review.turning_points:
        parts.append(f"<h2>{escape(words.say('review.turning_points'))}</h2>")
        parts += [_point(point, words) for point in review.turning_points]
    return "\n".join([*filter(None, parts), "</main></body></html>\n"])


def _headline(review: Reviewed) -> str:
    names = [player.name for player in review.game.players]
    result = review.game.result
    shown = " – ".join(f"{stone} {name}".strip() for stone, name in zip(notation.STONES, names, strict=True))
    return " · ".join(
        part
        for part in (shown, str(review.game.board), result.score if result else "", review.game.moves)
        if part
    )


def _no_moments(review: Reviewed, words: Words) -> str:
    is_known = not any(accuracy.unknown for accuracy in review.accuracy)
    return f"<p>{escape(words.say('review.clean'))}</p>" if is_known else "<p>–</p>"


def _accuracies(review: Reviewed) -> str:
    cards = []
    for side, accuracy in enumerate(review.accuracy):
        stone = notation.STONES[side]
        percent = "" if accuracy.percent is None else f" {round(accuracy.percent)} %"
        text = escape(accuracy_text(review.voice, side, accuracy))
        cards.append(f"<div class='card'><div class='big {stone}'>{stone}{percent}</div>{text}</div>")
    return f"<div class='scores'>{''.join(cards)}</div>"


def _move(move: ReviewedMove, words: Words) -> str:
    stone = notation.STONES[move.position.side]
    marked = " error" if move.name in (*ERRORS, *SLIPS) else ""
    name = escape(words.say(f"class.{move.name}"))
    why = escape(words.say(move.why))
    number, column = move.position.ply + 1, words.column(move.column)
    return f"<li class='{stone}{marked}' title='{why}'>{number}. {stone}{column} <small>{name}</small></li>"


def _point(point: TurningPoint, words: Words) -> str:
    board = position_svg(point.move.position.play(point.move.column), size=40)
    sentences = [point.played.opening, point.better.opening]
    text = "".join(f"<p>{escape(sentence)}</p>" for sentence in dict.fromkeys(sentences))
    return _section(board, f"<strong>{escape(moment_text(words, point.move))}</strong>{text}")


def _moment(moment: Moment) -> str:
    found = moment.mistake
    board = position_svg(found.position.play(found.column), size=40)
    text = "".join(f"<p>{escape(sentence)}</p>" for sentence in moment.sentences)
    return _section(board, f"<strong>{escape(moment.heading)}</strong>{text}")


def _lesson(moment: Moment, words: Words) -> str:
    """The answer is hidden until it is asked for."""
    board = position_svg(moment.mistake.position, size=40)
    show, answer = escape(words.say("review.show")), escape(" ".join(moment.sentences))
    hidden = f"<details><summary>{show}</summary><p>{answer}</p></details>"
    return _section(board, f"<strong>{escape(moment.question)}</strong>{hidden}")


def _section(board: str, text: str) -> str:
    return f"<section class='card point'><div>{board}</div><div>{text}</div></section>"


def graph(review: Reviewed, words: Words) -> str:
    """The value after every ply, for the first player."""
    values = review.values
    most = max([abs(value) for value in values if value is not None], default=0) or 1
    step = (WIDTH - LEFT - EDGE) / max(len(values) - 1, 1)
    middle = HEIGHT / 2

    def spot(index: int, value: int) -> tuple[float, float]:
        # Any win stands clear of the middle line; the rest of the height is for how soon it comes.
        share = 0 if value == 0 else (0.35 + 0.65 * abs(value) / most) * (1 if value > 0 else -1)
        return LEFT + index * step, middle - share * (middle - EDGE)

    known = [(index, value) for index, value in enumerate(values) if value is not None]
    curve = "L".join("{:.1f} {:.1f}".format(*spot(index, value)) for index, value in known)
    first, second = notation.FIRST, notation.SECOND
    label = escape(words.say("review.graph", player=first))
    parts = [
        f"<svg class='graph' viewBox='0 0 {WIDTH} {HEIGHT}' role='img' aria-label='{label}'>",
        f"<line class='zero' x1='{LEFT}' x2='{WIDTH - EDGE}' y1='{middle}' y2='{middle}'/>",
        f"<text x='0' y='{EDGE + 10}'>{escape(words.say('review.win', player=first))}</text>",
        f"<text x='0' y='{middle + 4}'>{escape(words.say('review.draw'))}</text>",
        f"<text x='0' y='{HEIGHT - EDGE}'>{escape(words.say('review.win', player=second))}</text>",
    ]
    if known:
        start, end = (LEFT + known[i][0] * step for i in (0, -1))
        parts.append(f"<path class='area' d='M{start:.1f} {middle}L{curve}L{end:.1f} {middle}Z'/>")
        parts.append(f"<path class='curve' d='M{curve}'/>")
    for index, move in enumerate(review.moves, start=1):
        value = values[index]
        if move.name in ERRORS and value is not None:
            x, y = spot(index, value)
            colour = f"var(--{'first' if move.position.side == 0 else 'second'})"
            title = escape(moment_text(words, move))
            parts.append(
                f"<circle cx='{x:.1f}' cy='{y:.1f}' r='7' fill='{colour}'><title>{title}</title></circle>"
            )
    return "".join([*parts, "</svg>"])
