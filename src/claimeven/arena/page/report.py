"""The report of a tournament: one HTML page that needs nothing else, neither files nor a network."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from html import escape
from importlib.resources import files

from claimeven.arena.page import charts
from claimeven.arena.page.crosstable import cross_table
from claimeven.arena.page.markup import GROW, section, spec, table
from claimeven.arena.page.replay import replay_json, replay_section
from claimeven.arena.page.running import running_section
from claimeven.arena.page.timing import time_section
from claimeven.arena.play.played import Played
from claimeven.arena.result import Ends, TournamentResult

POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
SHOWN_OPENINGS = 200
SHOWN_ERRORS = 50


def page(result: TournamentResult, games: Sequence[Played]) -> str:
    agents, names = result.ranking, result.names
    title = " – ".join(names) if len(names) == 2 else f"{len(names)} agents, {len(games)} games"
    sections = [
        _standings(result, agents),
        _ratings(result, agents) if len(names) > 2 else "",
        cross_table(result, agents),
        running_section(names, games),
        _quality(result, agents),
        time_section(names, games),
        _first_player(result, agents),
        _openings(games),
        _faults(result, games),
        replay_section(names, games),
    ]
    return "\n".join(
        [
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
            f"<title>{escape(title)}</title>\n<style>\n{_resource('report.css')}</style>\n</head>\n<body>\n<main>",
            f"<header><h1>{escape(title)}</h1>{_facts(result)}{_conclusion(result, agents)}</header>",
            *filter(None, sections),
            '<footer class="soft">Every opening is played twice with the colours swapped; a pair of games is'
            " one trial. Intervals hold with 95 % confidence.</footer>",
            f'</main>\n<script type="application/json" id="data">{replay_json(result, games)}</script>',
            f"<script>\n{_resource('report.js')}</script>\n</body>\n</html>\n",
        ]
    )


def _resource(name: str) -> str:
    return (files("claimeven.arena.page") / name).read_text(encoding="utf-8")


def _facts(result: TournamentResult) -> str:
    plan = result.plan
    facts = {
        "games": str(result.games),
        "format": "match" if len(plan.agents) == 2 else plan.format,
        "board": plan.board,
        "limit per move": plan.limit or "none",
        **({"clock per game": plan.clock} if plan.clock else {}),
        "openings": plan.openings,
        "seed": str(plan.seed),
    }
    items = "".join(f"<li>{name} <b>{escape(value)}</b></li>" for name, value in facts.items())
    return f'<ul class="facts">{items}</ul>'


def _conclusion(result: TournamentResult, agents: Sequence[int]) -> str:
    lines = []
    if len(agents) == 2:
        pairing, names = result.pairings[0], result.names
        ahead = names[0] if pairing.score > 0.5 else names[1]
        low, high = pairing.interval
        if pairing.score == 0.5:
            words = "Both scored the same."
        elif low <= 0.5 <= high:
            words = f"<b>{spec(ahead)}</b> is ahead, but this could be chance."
        else:
            words = f"<b>{spec(ahead)}</b> is stronger."
        lines.append(f"{words} {spec(names[0])} scored {pairing.score:.1%} [{low:.1%}, {high:.1%}].")
    else:
        best = max(agent.score for agent in result.agents)
        leaders = [agent.name for agent in result.agents if agent.score == best]
        listed = " and ".join(f"<b>{spec(name)}</b>" for name in leaders)
        are_first = "is first" if len(leaders) == 1 else "share the first place"
        lines.append(f"{listed} {are_first} with {best:.1%} of the points.")
    if (sprt := result.sprt) is not None:
        lines.append(
            f"Sequential test ({sprt.elo0:g}, {sprt.elo1:g}): {sprt.words};"
            f" LLR {sprt.llr:+.2f}."
            " The score of a test that stops by itself overstates the difference."
        )
    return f'<p class="conclusion">{" ".join(lines)}</p>'


def _standings(result: TournamentResult, agents: Sequence[int]) -> str:
    rows = []
    for number in agents:
        agent = result.agents[number]
        low, high = agent.interval
        rows.append(
            [
                spec(agent.name),
                *_bar_and_counts(agent.ends),
                f"<b>{agent.score:.1%}</b>",
                f"{low:.1%} – {high:.1%}",
                str(agent.faults.illegal),
                str(agent.faults.failed),
            ]
        )
    head = [
        "agent",
        GROW,
        "won",
        "drawn",
        "lost",
        "score",
        "interval",
        "invalid",
        "failed",
    ]
    return section(
        "Standings",
        "Invalid moves, and games lost by failing or by overstepping the time, are losses too.",
        table(head, rows),
    )


def _bar_and_counts(ends: Ends) -> list[str]:
    bar = charts.shares(list(zip("wdl", ends.all, strict=True)), ends.words)
    return [bar, *map(str, ends.all)]


def _ratings(result: TournamentResult, agents: Sequence[int]) -> str:
    ratings = [result.agents[number].rating for number in agents]
    span = min(r.interval[0] for r in ratings), max(r.interval[1] for r in ratings)
    rows = []
    for number, rating in zip(agents, ratings, strict=True):
        low, high = rating.interval
        words = f"{rating.value:+.0f}, between {low:+.0f} and {high:+.0f}"
        rows.append(
            [
                spec(result.agents[number].name),
                charts.interval(rating.value, rating.interval, span, words),
                f"<b>{rating.value:+.0f}</b>",
                f"{low:+.0f} … {high:+.0f}",
            ]
        )
    first = result.first_move
    return section(
        "Ratings",
        "Bradley–Terry on the Elo scale, the average is 0; intervals by bootstrap over pairs."
        f" Moving first is worth {first.value:+.0f} Elo here.",
        table(["agent", GROW, "rating", "interval"], rows),
    )


def _quality(result: TournamentResult, agents: Sequence[int]) -> str:
    rows = []
    for number in agents:
        agent = result.agents[number]
        quality = agent.quality
        if quality is None or not quality.moves:
            continue
        kept, best = quality.keeping, quality.optimal
        rows.append(
            [
                spec(agent.name),
                charts.interval(kept.share, kept.interval, (0, 1), f"{kept.share:.1%} kept"),
                f"<b>{kept.share:.1%}</b>",
                f"{kept.interval[0]:.1%} – {kept.interval[1]:.1%}",
                str(quality.decisive),
                f"{best.share:.1%}",
                str(quality.moves),
            ]
        )
    if not rows:
        return ""
    return section(
        "Quality of moves",
        "Judged by exact scores. <i>Kept</i>: a won position stayed won, a drawn one drawn, among decisive"
        " positions, where the columns differ in that. <i>Best</i>: also the quickest win or slowest loss,"
        " among all.",
        table(["agent", GROW, "kept", "interval", "of", "best", "of"], rows),
    )


def _first_player(result: TournamentResult, agents: Sequence[int]) -> str:
    rows = [["everyone moving first", *_bar_and_counts(result.first_player)]]
    for number in agents:
        agent = result.agents[number]
        rows += [
            [f"{spec(agent.name)}, first", *_bar_and_counts(agent.as_first)],
            [f"{spec(agent.name)}, second", *_bar_and_counts(agent.as_second)],
        ]
    return section(
        "First and second",
        "How much the first move decides.",
        table(["", GROW, "won", "drawn", "lost"], rows),
    )


def _openings(games: Sequence[Played]) -> str:
    ends: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for game in games:
        assert game.record.result is not None
        ends[game.record.start][game.record.result.score] += 1
    rows = []
    for start, counts in sorted(ends.items())[:SHOWN_OPENINGS]:
        won, drawn, lost = counts["1-0"], counts["1/2-1/2"], counts["0-1"]
        words = f"the first player won {won}, drew {drawn}, lost {lost}"
        bar = charts.shares([("w", won), ("d", drawn), ("l", lost)], words)
        rows.append([f"<code>{escape(start) or 'empty board'}</code>", bar, str(won), str(drawn), str(lost)])
    more = "" if len(ends) <= SHOWN_OPENINGS else f" The first {SHOWN_OPENINGS} are shown."
    return section(
        "Openings",
        f"{len(ends)} different ones; results of the first player.{more}",
        "<details><summary>Show them</summary>"
        + table(["opening", GROW, "won", "drawn", "lost"], rows)
        + "</details>",
    )


def _faults(result: TournamentResult, games: Sequence[Played]) -> str:
    errors = Counter(game.error for game in games if game.error)
    endings = ", ".join(f"{name} {count}" for name, count in result.endings.items())
    rows = [[escape(error), str(count)] for error, count in errors.most_common(SHOWN_ERRORS)]
    notes = "".join(
        f'<p class="note">{spec(agent.name)} failed too often to be rated fairly.</p>'
        for agent in result.agents
        if not agent.is_reliable
    )
    return section(
        "Endings",
        f"How the games ended: {endings}.",
        notes + (table(["what went wrong", "times"], rows) if rows else ""),
    )
