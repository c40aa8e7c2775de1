"""A model of people, fitted to games of people and judged on games it has not seen:

    python bench/players/people.py GAMES.jsonl [--write src/claimeven/people/weights.json]

GAMES has one object a line: `moves` (columns from 1) and `players`, who made each move, 0 for a bot.
"""

import argparse
import json
import random
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from claimeven.agents import make_agent
from claimeven.agents.kinds.level import FIRST
from claimeven.people.features import CONTEXT, NAMES, context, features
from claimeven.position import Position
from claimeven.solver import Solver

Floats = NDArray[np.float64]

FOLDS = 5
HIDDEN, EPOCHS, BATCH, RATE, DECAY, DROPPED = 24, 20, 128, 3e-3, 0.3, 0.2
STRONG_EPOCHS, STRONG_RATE, STRONG_DECAY = 400, 0.02, 2e-3
PRIOR = 20  # moves; how slowly we believe that somebody differs from the average
LEVELS, SAMPLE = range(1, 7), 1500  # what a rating means: first levels asked about so many of the positions
ALL_LEVELS = range(1, 11)
STRENGTHS = np.arange(-4, 8.01, 0.25)
NEVER = -1e9  # the liking of a column that is full
GROUPS = ("weak", "middle", "strong")  # thirds of the moves, by the strength of who made them


@dataclass
class Moves:
    """All moves of people, column by column: numbers, which were possible, which was played."""

    texts: list[str]
    seen: Floats  # move, column, feature and context
    closed: Floats  # NEVER for full columns
    played: NDArray[np.int64]
    game: NDArray[np.int64]
    person: NDArray[np.int64]
    kept: Floats  # 1 for columns that keep the outcome

    def of(self, which: NDArray[np.bool_]) -> tuple[Floats, Floats, NDArray[np.int64]]:
        return self.seen[which], self.closed[which], self.played[which]


def read(path: Path) -> Moves:
    texts, seen, closed, played, games, people, kept = [], [], [], [], [], [], []
    solver, known = Solver(megabytes=256), dict[str, list[float]]()
    for number, line in enumerate(path.read_text().splitlines()):
        raw, position = json.loads(line), Position()
        for digit, person in zip(raw["moves"], raw["players"], strict=True):
            column = int(digit) - 1
            if person and len(position.legal) > 1:
                rows, around = features(position), context(position)
                seen.append([[*rows.get(c, [0.0] * len(NAMES)), *around] for c in range(7)])
                closed.append([0.0 if c in rows else NEVER for c in range(7)])
                text = position.moves or ""
                if text not in known:
                    scores = solver.analyse(position).scores
                    best = max(scores.values()).outcome
                    known[text] = [float(c in scores and scores[c].outcome == best) for c in range(7)]
                kept.append(known[text])
                texts.append(text)
                played.append(column)
                games.append(number)
                people.append(person)
            position = position.play(column)
    return Moves(
        texts,
        np.array(seen),
        np.array(closed),
        np.array(played),
        np.array(games),
        np.array(people),
        np.array(kept),
    )


def likely(liking: Floats) -> Floats:
    found: Floats = np.exp(liking - liking.max(1, keepdims=True))
    return np.asarray(found / found.sum(1, keepdims=True))


def network(parts: list[Floats], seen: Floats) -> Floats:
    hidden, bias, out, straight = parts
    return np.asarray(np.maximum(seen @ hidden + bias, 0) @ out + seen @ straight)


class Adam:
    """Kingma and Ba 2015, with decay of weights."""

    def __init__(self, parts: list[Floats]) -> None:
        self.parts, self.steps = parts, 0
        self._mean = [np.zeros_like(part) for part in parts]
        self._square = [np.zeros_like(part) for part in parts]

    def step(self, slopes: list[Floats], rate: float, decay: float) -> None:
        self.steps += 1
        for place, slope in enumerate(slopes):
            self._mean[place] = 0.9 * self._mean[place] + 0.1 * slope
            self._square[place] = 0.999 * self._square[place] + 0.001 * slope**2
            mean = self._mean[place] / (1 - 0.9**self.steps)
            square = self._square[place] / (1 - 0.999**self.steps)
            self.parts[place] -= rate * (mean / (np.sqrt(square) + 1e-8) + decay * self.parts[place])


def fit(seen: Floats, closed: Floats, played: NDArray[np.int64], seed: int) -> list[Floats]:
    chance = np.random.default_rng(seed)
    count, _, width = seen.shape
    first = chance.normal(0, 1.5 / width**0.5, (width, HIDDEN))
    parts = [first, np.zeros(HIDDEN), chance.normal(0, 0.1, HIDDEN), np.zeros(width)]
    adam, steps = Adam(parts), EPOCHS * (count // BATCH)
    for _ in range(EPOCHS):
        order = chance.permutation(count)
        for start in range(0, count - BATCH + 1, BATCH):
            which = order[start : start + BATCH]
            rows, hidden = seen[which], seen[which] @ parts[0] + parts[1]
            mask = (chance.random((BATCH, 1, HIDDEN)) > DROPPED) / (1 - DROPPED) * (hidden > 0)
            alive = hidden * mask
            error = likely(alive @ parts[2] + rows @ parts[3] + closed[which])
            error[np.arange(BATCH), played[which]] -= 1
            error /= BATCH
            back = error[:, :, None] * parts[2] * mask
            slopes = [
                np.tensordot(rows, back, ([0, 1], [0, 1])),
                back.sum((0, 1)),
                np.tensordot(alive, error, ([0, 1], [0, 1])),
                np.tensordot(rows, error, ([0, 1], [0, 1])),
            ]
            adam.step(slopes, RATE * (1 - adam.steps / steps), DECAY)
    return parts


def sharpened(liking: Floats, seen: Floats) -> Floats:
    """What strength is weighed by: features, and what everybody likes."""
    liked = np.maximum(liking - liking.max(1, keepdims=True), -20)
    return np.concatenate([seen[:, :, : len(NAMES)], liked[:, :, None]], 2)


def fit_strong(known: Floats, liking: Floats, strength: Floats, played: NDArray[np.int64]) -> Floats:
    """How features weigh more for stronger people."""
    rows, weights = known * strength[:, None, None], np.zeros(known.shape[2])
    adam, count = Adam([weights]), len(played)
    for epoch in range(STRONG_EPOCHS):
        error = likely(liking + rows @ weights)
        error[np.arange(count), played] -= 1
        slope = np.tensordot(rows, error, ([0, 1], [0, 1])) / count + STRONG_DECAY * weights
        adam.step([slope], STRONG_RATE * (1 - epoch / STRONG_EPOCHS), 0)
    return weights


def strengths(moves: Moves, chances: Floats) -> Floats:
    """Of who moves, from their other games: how much more often they keep the outcome than all do."""
    own = moves.kept[np.arange(len(moves.played)), moves.played]
    surplus, mine = own - (chances * moves.kept).sum(1), defaultdict[int, list[int]](list)
    for place, person in enumerate(moves.person):
        mine[int(person)].append(place)
    found = np.zeros(len(own))
    for places in map(np.array, mine.values()):
        for game in set(moves.game[places]):
            here, there = places[moves.game[places] == game], places[moves.game[places] != game]
            found[here] = surplus[there].sum() / (len(there) + PRIOR)
    return np.asarray(found / found.std())


def agreement(liking: Floats, played: NDArray[np.int64]) -> Floats:
    """1 where the most likely column was played; of several as likely, a share."""
    first = liking > liking.max(1, keepdims=True) - 1e-9
    return np.asarray(first[np.arange(len(played)), played] / first.sum(1))


def told(name: str, moves: Moves, liking: Floats, which: NDArray[np.bool_] | None = None) -> str:
    which = np.ones(len(moves.played), bool) if which is None else which
    hits, games = agreement(liking[which], moves.played[which]), moves.game[which]
    low, high = _by_games(hits, games)
    loss = -np.log(likely(liking[which])[np.arange(len(hits)), moves.played[which]]).mean()
    return f"{name}: {hits.mean():.2%} ({low:.2%} to {high:.2%}) of {len(hits)} moves, {loss:.4f} nats a move"


def at_strengths(moves: Moves, liking: Floats, known: Floats, strength: Floats) -> list[str]:
    """Weak, middling and strong people and the model of each, on games held out.

    Who is what follows from a person's other games. Which strength the model needs to keep the outcome as
    often as they do is found on the other games; then both are asked about the games that were held out.
    """
    count, fold = len(moves.played), moves.game % FOLDS
    own, kept = moves.kept[np.arange(count), moves.played], np.zeros((len(STRENGTHS), count))
    for part in range(FOLDS):
        here, rest = fold == part, fold != part
        strong = fit_strong(known[rest], liking[rest], strength[rest], moves.played[rest])
        for row, one in enumerate(STRENGTHS):
            chances = likely(liking[here] + known[here] @ strong * one)
            kept[row, here] = (chances * moves.kept[here]).sum(1)
    group, found = np.digitize(strength, np.quantile(strength, [1 / 3, 2 / 3])), []
    for number, name in enumerate(GROUPS):
        model, asked = np.zeros(count), list[float]()
        for part in range(FOLDS):
            rest, here = (group == number) & (fold != part), (group == number) & (fold == part)
            asked.append(float(np.interp(own[rest].mean(), kept[:, rest].mean(1), STRENGTHS)))
            place = int(np.searchsorted(STRENGTHS, asked[-1]))
            low, high = STRENGTHS[place - 1], STRENGTHS[place]
            share = (asked[-1] - low) / (high - low)
            model[here] = (1 - share) * kept[place - 1, here] + share * kept[place, here]
        of = group == number
        low, high = _by_games(own[of] - model[of], moves.game[of])
        found.append(
            f"{name} people keep the outcome in {own[of].mean():.1%} of {of.sum()} moves, the model in"
            f" {model[of].mean():.1%} of strength {np.mean(asked):.2f} (difference {low:+.1%} to {high:+.1%})"
        )
    return found


def _by_games(numbers: Floats, games: NDArray[np.int64]) -> tuple[float, float]:
    """Where the mean lies with 95 % confidence; whole games are drawn anew: moves of one are alike."""
    sums = np.bincount(games, numbers, minlength=games.max() + 1)
    counts = np.bincount(games, minlength=games.max() + 1)
    drawn = np.random.default_rng(1).integers(0, len(sums), (2000, len(sums)))
    low, high = np.quantile(sums[drawn].sum(1) / counts[drawn].sum(1), [0.025, 0.975])
    return float(low), float(high)


def level_points(moves: Moves, chances_at: list[Floats]) -> list[tuple[float, float]]:
    """For every level the strength of people who keep the outcome as often, in the same positions."""
    sample = sorted(random.Random(1).sample(range(len(moves.texts)), SAMPLE))
    by_strength = [float((chances[sample] * moves.kept[sample]).sum(1).mean()) for chances in chances_at]
    points = []
    for level in LEVELS:
        agent = make_agent(f"level:{level},ladder=first", 1)
        columns = [agent.choose(Position.parse(moves.texts[place])).column for place in sample]
        kept = float(np.mean([moves.kept[place, c] for place, c in zip(sample, columns, strict=True)]))
        print(f"level {level} ({FIRST[level].rating}) keeps the outcome in {kept:.1%}")
        if by_strength[0] < kept < by_strength[-1]:
            strength = round(float(np.interp(kept, by_strength, STRENGTHS)), 2)
            points.append((float(FIRST[level].rating), strength))
    return points


def level_agreement(moves: Moves, which: NDArray[np.bool_]) -> list[str]:
    """How often each level plays the person's move, in the same positions."""
    places, found = np.flatnonzero(which), []
    for level in ALL_LEVELS:
        agent = make_agent(f"level:{level}", 1)
        hits = [agent.choose(Position.parse(moves.texts[at])).column == moves.played[at] for at in places]
        low, high = _by_games(np.array(hits, float), moves.game[places])
        found.append(f"level {level}: {np.mean(hits):.2%} ({low:.2%} to {high:.2%}) of {len(hits)} moves")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description="Fit and judge the model of people.")
    parser.add_argument("games", type=Path)
    parser.add_argument("--write", type=Path)
    asked = parser.parse_args()
    moves = read(asked.games)
    fold, count = moves.game % FOLDS, len(moves.played)
    liking = np.zeros((count, 7))
    for part in range(FOLDS):
        parts = fit(*moves.of(fold != part), seed=part)
        liking[fold == part] = network(parts, moves.seen[fold == part]) + moves.closed[fold == part]
    chances = likely(liking)
    strength, known = strengths(moves, chances), sharpened(liking, moves.seen)
    stronger, unseen = liking.copy(), np.zeros(count, bool)
    for part in range(FOLDS):
        rest, here = fold != part, fold == part
        strong = fit_strong(known[rest], liking[rest], strength[rest], moves.played[rest])
        stronger[here] += known[here] @ strong * strength[here][:, None]
        unseen[here] = ~np.isin(moves.person[here], moves.person[rest])
    results = [
        told("average person, games held out", moves, liking),
        told("average person, people held out", moves, liking, unseen),
        told("strength known from other games", moves, stronger),
        *at_strengths(moves, liking, known, strength),
    ]
    print("\n".join(results))
    print("people held out:", *level_agreement(moves, unseen), sep="\n")
    own = moves.kept[np.arange(count), moves.played].mean()
    print(f"people keep the outcome in {own:.1%}, the model in {(chances * moves.kept).sum(1).mean():.1%}")
    strong = fit_strong(known, liking, strength, moves.played)
    at = [likely(liking + known @ strong * one) for one in STRENGTHS]
    points = level_points(moves, at)
    print("rating and strength:", points)
    average = np.interp(own, [float((one * moves.kept).sum(1).mean()) for one in at], STRENGTHS)
    print(f"the model keeps the outcome as often as people at strength {average:.2f}")
    if asked.write:
        hidden, bias, out, straight = fit(*moves.of(fold >= 0), seed=0)
        write(asked.write, [hidden, bias, out, straight], strong, points, results)


def write(
    path: Path, parts: list[Floats], strong: Floats, points: list[tuple[float, float]], results: list[str]
) -> None:
    hidden, bias, out, straight = (np.round(part, 4).tolist() for part in (parts[0].T, *parts[1:]))
    *seen, sure = np.round(strong, 4).tolist()
    rows = {
        "recipe": "python bench/players/people.py GAMES.jsonl --write weights.json, on 600 games of people",
        "judged": results,
        "inputs": [*NAMES, *CONTEXT],
        "hidden": hidden,
        "bias": bias,
        "out": out,
        "straight": straight,
        "strong": seen,
        "sure": sure,
        "strengths": points,
    }
    lines = ",\n".join(f'"{name}": {json.dumps(value)}' for name, value in rows.items())
    path.write_text("{\n" + lines + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
