"""Which mistakes of a game are told, in which order: first what could have been seen and cost the game."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from claimeven.position import Position
from claimeven.reasons.reviewed.blame import told_simply
from claimeven.reasons.reviewed.hindsight import OPENING, in_hindsight
from claimeven.reasons.reviewed.mistake import Asked, Mistake, mistake
from claimeven.reasons.reviewed.moments import Moment
from claimeven.reasons.reviewed.story import led_to, won
from claimeven.reasons.reviewed.voice import Voice

FIRST_DISCS = 2  # one of each side
MOST = 5  # moments: whoever is told more remembers none
WIN_TO_LOSS = 2  # steps of the outcome
NEAR = 2  # moves: what everybody could have seen
AGAIN = ("fork_allowed", "stacked_allowed")  # the same cells each time are the same thing overlooked


def chosen_moments(
    found: Iterable[Mistake], end: Position, winner: int | None, voice: Voice, lead: Moment | None = None
) -> tuple[Moment, ...]:
    """At most five, the most instructive first; `end` is the last position of the game.

    It is the reader who learns, or else whoever lost. What changed the result first, and what last turned a
    win into a loss, are always there, whoever did it and however hard it was to see. `lead`: what the end of
    the game has told already comes first.
    """
    found = tuple(found)
    learner = _loser(winner) if voice.reader is None else voice.reader
    moments = [_moment(same, voice) for same in _groups(found)]
    moments.sort(key=lambda moment: _order(moment.mistake, end, learner))
    first = [moment for moment in moments[:1] if is_near(moment.mistake)]
    rest = moments[len(first) :]
    # Whatever the next disc decided comes before what takes more than that.
    told = [*first, *(one for one in rest if one.mistake.is_one_move)]
    shown = [one for one in rest if not one.mistake.is_one_move and one.mistake.kind != "deep"]
    deep = [one for one in rest if one.mistake.kind == "deep" and one.mistake.position.ply >= OPENING]
    # Of those that were hard to see the one that shows in the end; or any, if there is nothing else.
    shown += [one for one in deep if one.mistake.cells][:1]
    told += sorted(shown, key=lambda one: learner is not None and one.mistake.position.side != learner)
    told = (told or deep[:1] or rest[:1])[:MOST]
    due = [one for turn in (first_change(found), swing(found)) for one in moments if _is_about(one, turn)]
    if lead is not None:
        lead = next((one for one in moments if lead.ply in one.plies), lead)
        due = [lead, *due]
    kept = [one for one in told if one not in due][: MOST - len(set(map(id, due)))]
    told = [one for one in told if one in due or one in kept]
    told += [one for one in dict.fromkeys(due) if one not in told]
    return tuple(sorted(told, key=lambda one: one is not lead))


def first_change(found: Iterable[Mistake]) -> Mistake | None:
    """The first mistake that changed the result; what the first disc of a game changes teaches nobody."""
    changed = [one for one in found if one.steps and one.position.ply]
    return min(changed, key=lambda one: one.position.ply, default=None)


def _is_about(moment: Moment, found: Mistake | None) -> bool:
    return found is not None and found.position.ply + 1 in moment.plies


def swing(found: Iterable[Mistake]) -> Mistake | None:
    """The last move that turned a win into a loss; one of the opening only where there is no other."""
    turned = [one for one in found if one.steps == WIN_TO_LOSS and one.position.ply]
    late = [one for one in turned if one.position.ply >= OPENING]
    return max(late or turned, key=lambda one: one.position.ply, default=None)


def later(found: Iterable[Mistake], moments: Iterable[Moment]) -> tuple[int, ...]:
    """The plies, from 1, of what was too deep to be a moment; the opening is left out."""
    told = {ply for moment in moments for ply in moment.plies}
    deep = [one.position.ply for one in found if one.kind == "deep" and one.position.ply >= OPENING]
    return tuple(ply + 1 for ply in deep if ply + 1 not in told)


def deciding(found: Iterable[Mistake], end: Position, winner: int | None) -> Mistake | None:
    """What cost the loser the game and could have been seen: a four that was passed over did, too."""
    loser = _loser(winner)
    near = [one for one in found if one.position.side == loser and is_near(one)]
    near = [one for one in near if one.steps or one.kind == "win_missed" or _ends_the_game(one, end)]
    first = min(near, key=lambda one: _order(one, end, loser), default=None)
    return None if first is None else _told(next(same for same in _groups(near) if first in same))


def decided_by(positions: Sequence[Position], analyse: Asked) -> Mistake | None:
    """The mistake that decided a finished game, of which these are all the positions.

    What the rules show needs no solver but for what was right instead; only where they show nothing, every
    move of the loser is asked about.
    """
    end = positions[-1]
    if end.winner is None:
        return None
    column_of = end.board.column_of
    moves = [(before, column_of(before.mask ^ after.mask)) for before, after in pairwise(positions)]
    lost = [(position, column) for position, column in moves if position.side != end.winner]
    by_rules = [found for one in lost if (found := mistake(*one)) is not None]
    seen = deciding(by_rules, end, end.winner)
    if seen is not None:
        same = next(group for group in _groups(by_rules) if seen in group)
        return _told([mistake(one.position, one.column, analyse) or one for one in same])
    proved = [found for one in lost if (found := mistake(*one, analyse)) is not None]
    return deciding(proved, end, end.winner) or _shown(in_hindsight(proved, positions, analyse), end)


def _shown(found: Sequence[Mistake], end: Position) -> Mistake | None:
    """The same that a review tells first: what could have been seen, even in a lost game; else what shows on
    the board in the end; else the last slip, of the opening only where there is no other. The first disc of
    a side is never told: to try from there is to play another game."""
    late = [one for one in found if one.kind != "deep" or one.position.ply >= OPENING]
    early = [one for one in found if one.position.ply >= FIRST_DISCS]
    kinds = [[one for one in late if one.kind != "deep"], [one for one in late if one.cells], late, early]
    told = next(filter(None, kinds), [])
    return min(told, key=lambda one: _order(one, end, one.position.side), default=None)


@dataclass(frozen=True)
class Lost:
    """How a game was lost, as its loser reads it."""

    moment: Moment | None  # the mistake that decided it, if there is one to show
    seen: tuple[str, ...]  # what there was to see
    after: tuple[str, ...]  # what it led to, where that says more than the mistake
    ended: tuple[str, ...] = ()  # what ended the game, where that was not what the mistake allowed
    again: Moment | None = None  # where more could still be kept, if the game was lost before the moment

    @property
    def reason(self) -> str:
        return " ".join((*self.seen, *self.after))

    @property
    def sentence(self) -> str:
        """With what ended it, and the heading of the moment."""
        heading = () if self.moment is None else (self.moment.heading,)
        return " ".join((*self.ended, *heading, self.reason))

    @property
    def is_lost(self) -> bool:
        """With best play, wherever one tries again from."""
        had = None if self.moment is None else self.moment.mistake.had
        return self.again is None and had is not None and had.value < 0


def lost(positions: Sequence[Position], voice: Voice, analyse: Asked) -> Lost:
    """One sentence where it could have been seen coming; else the plan that won, and what to do next time."""
    found = decided_by(positions, analyse)
    if found is not None:
        moment, kept = Moment(found, voice), _kept(positions, found, analyse)
        again = None if kept is None else Moment(kept, voice)
        if not _was_taken(found, positions):
            told, ended = again or moment, won(positions, voice, is_short=True)
            if told.mistake.had is None:  # nothing is known but how it ended
                return Lost(None, (), (ended,))
            return Lost(told, told_simply(told.mistake, voice), (), (ended,))
        if found.kind != "deep":
            return Lost(moment, moment.sentences[:1], (), again=again)
        if found.cells:
            return Lost(moment, moment.sentences[:1], led_to(positions, voice), again=again)
        return Lost(moment, moment.sentences[:2], (won(positions, voice),))
    loser = _loser(positions[-1].winner)
    scores = [analyse(position).score for position in positions if position.side == loser]
    if (
        loser == 1
        and positions[0].ply == 0
        and all(score is not None and score.value < 0 for score in scores)
    ):
        return Lost(None, (), (voice.say("story.held", loser), won(positions, voice)))
    return Lost(None, (), (won(positions, voice), voice.words.say("tip.deep")))


def _was_taken(found: Mistake, positions: Sequence[Position]) -> bool:
    """The other side played what the mistake allowed; one that allowed nothing is told as what it missed."""
    after = found.position.play(found.column)
    rest = [one for one in positions if one.ply >= after.ply]
    played = [one.board.column_of(one.mask ^ other.mask) for one, other in pairwise(rest)]
    if found.kind in ("block_missed", "door_opened"):
        return len(played) == 1
    if found.kind == "threat_burned":
        return played[:1] == [found.column]
    if not found.kind.endswith("_allowed"):
        return True
    for turn, (column, told) in enumerate(zip(played, found.line, strict=False)):
        if column != told:
            return turn % 2 == 1  # who does not answer a threat loses at once
    return True


def _kept(positions: Sequence[Position], found: Mistake, analyse: Asked) -> Mistake | None:
    """Where a game that was lost before a mistake could still be kept: the last move that cost more, best one
    that could have been seen, and none of the first ones that could not."""
    if found.had is None or found.had.value >= 0:
        return None
    deep = None
    for position, after in reversed(list(pairwise(positions))):
        if position.side != found.position.side or not FIRST_DISCS <= position.ply < found.position.ply:
            continue
        analysis, column = analyse(position), position.board.column_of(position.mask ^ after.mask)
        if not analysis.is_complete:
            break
        one = mistake(position, column, analyse) if max(analysis.scores.values()).value >= 0 else None
        if one is None or not one.steps:
            continue
        if one.kind != "deep":
            return one
        deep = deep or (one if position.ply >= OPENING else None)
    return deep


def given(positions: Sequence[Position], voice: Voice, analyse: Asked) -> str:
    """Of a finished game that began with a position: that it was lost there already, for whoever lost it, or
    for a reader who won it all the same; else nothing."""
    start, winner = positions[0], positions[-1].winner
    score = analyse(start).score
    if winner is None or score is None or not score.value:
        return ""
    is_lost = (score.value < 0) == (start.side != winner)  # for whoever lost in the end
    if winner == voice.reader:
        return "" if is_lost else voice.say("story.rescued", winner)
    return voice.say("story.given_lost", 1 - winner) if is_lost else ""


def is_near(found: Mistake) -> bool:
    return found.is_one_move or (found.depth <= NEAR and found.kind != "threat_burned")


def _loser(winner: int | None) -> int | None:
    return None if winner is None else 1 - winner


def _groups(found: Iterable[Mistake]) -> list[list[Mistake]]:
    """What one side overlooks again and again is one thing to learn."""
    groups: dict[object, list[Mistake]] = {}
    for one in found:
        again = one.is_one_move or one.kind in AGAIN
        key = (one.kind, one.position.side, one.cells if again else one.position.ply)
        groups.setdefault(key, []).append(one)
    return list(groups.values())


def _moment(same: list[Mistake], voice: Voice) -> Moment:
    """The others are named."""
    told = _told(same)
    return Moment(told, voice, tuple(one.position.ply + 1 for one in same if one is not told))


def _told(same: list[Mistake]) -> Mistake:
    """Of one cell the last time; of two threats the time at which they cost most."""
    return same[-1] if same[-1].is_one_move else max(same, key=lambda one: (one.steps, one.position.ply))


def _order(found: Mistake, end: Position, learner: int | None) -> tuple[bool, bool, bool, int, bool, int]:
    is_other = learner is not None and found.position.side != learner
    is_first = not is_near(found), is_other, not _ends_the_game(found, end)
    return *is_first, -found.steps, found.kind != "win_missed", -found.position.ply


def _ends_the_game(found: Mistake, end: Position) -> bool:
    """The other side took what it was given, at once."""
    is_punished = end.winner is not None and end.winner != found.position.side
    return is_punished and end.ply - (found.position.ply + 1) <= 2 * found.depth - 1
