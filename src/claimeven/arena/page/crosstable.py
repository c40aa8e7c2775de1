"""The part of the report that sets everyone against everyone."""

from collections.abc import Sequence

from claimeven.arena.page.markup import section, spec, table
from claimeven.arena.result import PairingResult, TournamentResult


def cross_table(result: TournamentResult, agents: Sequence[int]) -> str:
    cells: dict[tuple[int, int], str] = {}
    for pairing in result.pairings:
        one, other = pairing.agents
        won, drawn, lost = pairing.wins, pairing.draws, pairing.losses
        p = pairing.p_holm
        for pair, score, (w, lo) in (
            ((one, other), pairing.score, (won, lost)),
            ((other, one), 1 - pairing.score, (lost, won)),
        ):
            tone, strength = ("good", score - 0.5) if score >= 0.5 else ("bad", 0.5 - score)
            cells[pair] = (
                f'<div style="background:rgb(var(--{tone})/{0.75 * strength:.2f});border-radius:6px"'
                f' title="p = {p:.4f}"><b>{score:.1%}</b><small>{w} – {drawn} – {lo}</small></div>'
            )
    rows = [
        [spec(result.agents[one].name), *(cells.get((one, other), "·") for other in agents)] for one in agents
    ]
    head = [
        "",
        *(f'<span class="name">{spec(result.agents[number].name)}</span>' for number in agents),
    ]
    elo = [_pairing_row(result, pairing) for pairing in result.pairings]
    return section(
        "Who against whom",
        "The score of the row against the column; below it won – drawn – lost. Elo from pairs; p from the"
        " exact sign test over pairs, corrected by Holm for the number of pairings.",
        table(head, rows, "cross")
        + "<details open><summary>Every pairing</summary>"
        + table(["pairing", "score", "interval", "Elo", "stronger", "p", "different games"], elo)
        + "</details>",
    )


def _pairing_row(result: TournamentResult, pairing: PairingResult) -> list[str]:
    one, other = (spec(result.agents[number].name) for number in pairing.agents)
    low, high = pairing.interval
    elo = pairing.elo
    return [
        f"{one} – {other}",
        f"{pairing.score:.1%}",
        f"{low:.1%} – {high:.1%}",
        "cannot be told" if elo is None else f"{elo.value:+.0f} ± {elo.error:.0f}",
        f"{pairing.superiority:.1%}",
        "&lt; 0.001" if pairing.p_holm < 0.001 else f"{pairing.p_holm:.3f}",
        f"{pairing.distinct} of {pairing.games}",
    ]
