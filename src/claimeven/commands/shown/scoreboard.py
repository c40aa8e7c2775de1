"""A tournament on the terminal: how it goes while it runs, and a short table at the end."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from claimeven.notation import plural
from claimeven.terminal.paint import has_colours, paint

if TYPE_CHECKING:
    from claimeven.arena.play.tournament import Standing
    from claimeven.arena.result import PairingResult, Quality, TournamentResult

NAME_WIDTH = 34


def progress_line(standing: "Standing", seconds: float) -> str:
    """Games, speed, time left, and who leads by how much."""
    from claimeven.arena.elo import moments, score_interval
    from claimeven.runner.progress import duration

    done, total = standing.games, standing.total
    parts = [f"{done} of {total} games"]
    newly = done - standing.resumed
    if newly > 0 and seconds > 0:
        speed = newly / seconds
        parts[0] += f", {speed:.1f}/s"
        if standing.plan.sprt is None:  # else nobody knows
            parts.append(f"{duration((total - done) / speed)} left")
    if len(standing.tallies) == 1:
        ((one, _), tally), *_ = standing.tallies.items()
        low, high = score_interval(tally)
        parts.append(f"{short(standing.plan.names[one])} {moments(tally).mean:.1%} [{low:.1%}, {high:.1%}]")
        if (sprt := standing.plan.sprt) is not None:
            below, above = sprt.bounds
            parts.append(f"LLR {sprt.llr(tally):+.2f} ({below:.2f}, {above:.2f})")
    else:
        best, score = leader(standing)
        parts.append(f"{short(standing.plan.names[best])} leads with {score:.1%}")
    return " · ".join(parts)


def leader(standing: "Standing") -> tuple[int, float]:
    """Who has the most points per game."""
    points, games = [0.0] * len(standing.plan.names), [0] * len(standing.plan.names)
    for (one, other), tally in standing.tallies.items():
        own, pairs = sum(i * n for i, n in enumerate(tally)) / 2, sum(tally)
        for agent, gained in ((one, own), (other, 2 * pairs - own)):
            points[agent] += gained
            games[agent] += 2 * pairs
    shares = [p / g if g else 0.0 for p, g in zip(points, games, strict=True)]
    best = max(range(len(shares)), key=lambda i: shares[i])
    return best, shares[best]


def table(result: "TournamentResult") -> str:
    """What came out, in a few lines."""
    agents = [result.agents[number] for number in result.ranking]
    rows = [
        [
            "",
            "games",
            "win",
            "draw",
            "loss",
            "score",
            "95 % interval",
            "rating",
            "± 95 %",
            "invalid",
            "failed",
        ]
    ]
    for agent in agents:
        low, high = agent.interval
        below, above = agent.rating.interval
        rows.append(
            [
                short(agent.name),
                str(agent.games),
                *(f"{count / agent.games:.0%}" for count in agent.ends.all),
                f"{agent.score:.1%}",
                f"{low:.1%} – {high:.1%}",
                f"{round(agent.rating.value):+d}",  # a whole number has no minus before zero
                f"{(above - below) / 2:.0f}",
                str(agent.faults.illegal),
                str(agent.faults.failed),
            ]
        )
    heading, *body = aligned(rows)
    lines = [paint(heading, "bold", has_colours()), *body]
    lines += ["", *(pairing_line(result, pairing) for pairing in result.pairings)]
    first = result.first_player
    lines.append(
        f"The first player won {first.wins}, drew {first.draws} and lost {first.losses}"
        f" {plural('game', first.losses)}."
    )
    if any(agent.quality for agent in agents):
        lines.append("Good moves, of those that could have lost something (judged by the solver):")
        lines += [f"  {short(agent.name)}: {quality_words(agent.quality)}" for agent in agents]
    return "\n".join([*lines, *verdict_lines(result), *warnings(result)])


def pairing_line(result: "TournamentResult", pairing: "PairingResult") -> str:
    one, other = (short(result.agents[number].name) for number in pairing.agents)
    line = f"{one} – {other}: {pairing.wins} won, {pairing.draws} drawn, {pairing.losses} lost"
    if pairing.elo is not None:
        from claimeven.arena.elo import elo_of

        # From the interval of the score: with few pairs the error by the normal law is far too small.
        low, high = (round(elo_of(bound)) for bound in pairing.interval)
        line += f"; Elo {round(pairing.elo.value):+d} ({low:+d} to {high:+d})"
    return f"{line}; {chance(pairing.p_holm)}"


def chance(p: float) -> str:
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def quality_words(quality: "Quality | None") -> str:
    if quality is None or not quality.decisive:
        return "none judged"
    low, high = quality.keeping.interval
    return f"{quality.keeping.share:.1%} [{low:.1%}, {high:.1%}] of {quality.decisive}"


def verdict_lines(result: "TournamentResult") -> list[str]:
    sprt = result.sprt
    if sprt is None:
        return []
    return [f"SPRT {sprt.elo0:g}, {sprt.elo1:g}: LLR {sprt.llr:+.2f}: {sprt.words}."]


def warnings(result: "TournamentResult") -> list[str]:
    """What a reader of the numbers should know."""
    lines = []
    for agent in result.agents:
        if not agent.is_reliable:
            told = ", ".join(f"{n} by {fault}" for fault, n in asdict(agent.faults).items() if n)
            lines.append(f"Note: {short(agent.name)} failed too often to be rated fairly ({told}).")
    for pairing in result.pairings:
        if pairing.distinct < pairing.games:
            one, other = (short(result.agents[number].name) for number in pairing.agents)
            lines.append(
                f"Note: {one} – {other}: only {pairing.distinct} of {pairing.games} games are different."
            )
    if result.sprt is not None and result.sprt.verdict != "none":
        lines.append("Note: a test that stops by itself overstates the difference; trust its verdict.")
    return lines


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """The first column to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if i == 0 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def short(name: str) -> str:
    """The end of a long name tells more than its middle."""
    return name if len(name) <= NAME_WIDTH else f"{name[:12]}…{name[13 - NAME_WIDTH :]}"
