"""The part of the report that plays any game again: its data, and the frame that report.js fills."""

import json
from collections.abc import Sequence
from html import escape

from claimeven import notation
from claimeven.arena.play.played import Played
from claimeven.arena.result import TournamentResult
from claimeven.game import BY, Game, ending
from claimeven.position import Board


def replay_json(result: TournamentResult, games: Sequence[Played]) -> str:
    """All games, so that they may stand inside a script element."""
    board = Board.parse(result.plan.board)
    names = result.names
    data = {
        "columns": board.columns,
        "rows": board.rows,
        "agents": names,
        "games": [_game(names, game) for game in games],
    }
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def _game(names: Sequence[str], played: Played) -> dict[str, object]:
    game = Game.from_record(played.record)
    start, result = game.start, game.result
    assert result is not None
    stones = [
        [column, row, notation.STONES.index(stone)]
        for column in range(game.board.columns)
        for row in range(game.board.rows)
        if (stone := start.stone(column, row)) is not None
    ]
    return {
        "first": played.sides[0],
        "second": played.sides[1],
        "start": stones,
        "opening": played.record.start,
        "moves": played.record.moves,
        "four": [list(cell) for cell in game.position.four],
        "score": result.score.replace("1/2-1/2", "½-½"),
        "reason": played.reason,
        "end": ending(result, game.position, lambda side: names[played.sides[side]]),
    }


def replay_section(names: Sequence[str], games: Sequence[Played]) -> str:
    agents = "".join(f'<option value="{number}">{escape(name)}</option>' for number, name in enumerate(names))
    reasons = "".join(
        f'<option value="{reason}">{escape(BY[reason])}</option>'
        for reason in sorted({game.reason for game in games})
    )
    return f"""<section id="replay"><h2>Replay</h2><p class="soft">Arrow keys step through the game.</p>
<div class="replay"><div id="stage"><svg id="board" class="board" role="img"></svg>
<div class="controls"><button id="start" aria-label="to the start">|◀</button>
<button id="back" aria-label="one move back">◀</button>
<input type="range" id="slider" min="0" value="0" aria-label="move">
<button id="next" aria-label="one move on">▶</button>
<button id="finish" aria-label="to the end">▶|</button></div></div>
<p id="nothing" hidden>No game is like that.</p>
<div><label>With<select id="agent"><option value="">any agent</option>{agents}</select></label>
<label>Ended by<select id="end"><option value="">anything</option>{reasons}</select></label>
<label>Game<select id="game"></select></label>
<p id="status" aria-live="polite"></p><p class="moves" id="moves"></p></div></div></section>"""
