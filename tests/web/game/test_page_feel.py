"""How a game feels: discs that wait for each other, sounds, the joy of winning, the next step."""

import re
from typing import Any

from playwright.sync_api import expect

from claimeven import Limit, Position, make_agent
from kit.page.table import Person, Table

# Writes down what happens, in its order: discs that appear and lie, rings, tones, buzzes.
RECORD = """() => {
  window.seen = [];
  const note = (what) => window.seen.push({ what, at: performance.now() });
  const name = (disc) => 'disc ' + [...document.querySelectorAll('.disc')].indexOf(disc);
  new MutationObserver((changes) => {
    for (const change of changes) {
      const { target } = change;
      if (change.type === 'attributes' && target.matches('.disc') && !('falling' in target.dataset))
        note(name(target) + ' lies');
      for (const node of change.addedNodes) {
        if (!(node instanceof Element)) continue;
        const disc = node.matches('.disc') ? node : node.querySelector('.disc');
        if (disc) note(name(disc) + ' appears');
      }
    }
  }).observe(document.querySelector('.board svg'), {
    subtree: true, childList: true, attributes: true, attributeFilter: ['data-falling'],
  });
  const tone = BaseAudioContext.prototype.createOscillator;
  BaseAudioContext.prototype.createOscillator = function () {
    note('tone' + (document.querySelector('[data-falling]') ? ' in the air' : ''));
    return tone.call(this);
  };
  navigator.vibrate = (pattern) => { note('buzz'); return true; };
}"""

# Every headline that was shown.
HEADLINES = """() => {
  window.headlines = [];
  const note = () => {
    const shown = document.querySelector('#headline')?.textContent ?? '';
    if (window.headlines.at(-1) !== shown) window.headlines.push(shown);
  };
  new MutationObserver(note).observe(document.querySelector('main'), {
    subtree: true, childList: true, characterData: true,
  });
}"""


def _seen(table: Table) -> list[dict[str, Any]]:
    seen: list[dict[str, Any]] = table.page.evaluate("window.seen")
    return seen


def _first(table: Table, what: str) -> dict[str, Any]:
    return next(one for one in _seen(table) if one["what"] == what)


def test_the_reply_waits_until_the_own_disc_lies_and_a_moment_more(person: Person) -> None:
    table = person(pace="calm")
    table.page.evaluate(RECORD)
    table.drop(4)
    expect(table.discs).to_have_count(2)
    table.await_turn()
    expect(table.page.locator("[data-falling]")).to_have_count(0)
    order = [one["what"] for one in _seen(table) if one["what"].startswith("disc")]
    assert order == ["disc 0 appears", "disc 0 lies", "disc 1 appears", "disc 1 lies"]
    pause = _first(table, "disc 1 appears")["at"] - _first(table, "disc 0 lies")["at"]
    assert pause >= 400  # milliseconds at least; a busy machine only makes it longer


def test_ring_and_sound_come_when_a_disc_lands(person: Person) -> None:
    table = person(pace="calm")
    table.choose("Same screen")
    table.page.evaluate(RECORD)
    table.drop(4)
    expect(table.page.locator(".last")).to_have_count(1)
    order = [one["what"] for one in _seen(table)]
    assert order[0] == "disc 0 appears"
    assert {"tone", "buzz"} <= set(order)
    assert "tone in the air" not in order


def test_the_speaker_is_in_the_bar_and_remembered(person: Person) -> None:
    table = person()
    table.choose("Same screen")
    table.page.get_by_role("button", name="Sound is on. Switch it off").click()
    table.page.reload()
    expect(table.page.get_by_role("button", name="Sound is off. Switch it on")).to_be_visible()
    table.page.evaluate(RECORD)
    table.drop(4)
    expect(table.page.locator(".last")).to_have_count(1)
    assert "tone" not in [one["what"] for one in _seen(table)]


def _beat(table: Table, level: int) -> None:
    best = make_agent("perfect")
    while table.await_turn_or_end():
        table.drop(best.choose(Position.parse(table.moves), Limit(seconds=5)).column + 1)
    expect(table.headline).to_have_text(re.compile("You beat"))


def test_a_win_is_celebrated_counted_and_leads_on(person: Person) -> None:
    table = person()
    table.choose_level(1)
    table.page.evaluate(RECORD)
    table.page.evaluate(HEADLINES)
    _beat(table, 1)
    # While the disc that wins falls, what stood there stays.
    shown = table.page.evaluate("window.headlines")
    assert "Your turn" in shown
    assert "Loading the game …" not in shown
    expect(table.page.locator(".confetti span").first).to_be_attached()
    # Four, or more where the last disc completed more than that.
    expect(table.page.locator(".four .pop")).to_have_count(len(Position.parse(table.moves).four))
    expect(table.page.locator(".score")).to_have_text([re.compile("1$"), re.compile("0$")])
    assert [one["what"] for one in _seen(table)][-4:].count("tone") >= 3  # the chord
    table.page.get_by_role("button", name="Play again").click()
    expect(table.page.locator(".status.over")).to_have_count(0)
    # Now the other one is red: the point has moved with its owner.
    expect(table.page.locator(".score")).to_have_text([re.compile("0$"), re.compile("1$")])
    _beat(table, 1)
    expect(table.page.locator(".score")).to_have_text([re.compile("0$"), re.compile("2$")])
    table.page.get_by_role("button", name=re.compile("^Next: ")).click()
    table.await_turn()
    table.page.goto("/")
    expect(table.level(2)).to_be_checked()
    expect(table.page.get_by_role("radio", name=re.compile(r"beaten: "))).to_have_count(1)


def test_no_confetti_for_those_who_want_less_motion(person: Person) -> None:
    table = person(reduced_motion="reduce")
    table.choose("Same screen")
    for column in "1212121":
        table.drop(int(column))
    expect(table.headline).to_have_text("Red wins")
    expect(table.page.locator(".confetti")).to_have_count(0)


def test_a_finger_slides_to_the_column_where_it_lets_go(person: Person) -> None:
    table = person(width=375, height=812, has_touch=True, is_mobile=True)
    table.choose("Same screen")
    table.column(3).tap()  # a tap is one disc
    expect(table.discs).to_have_count(1)
    table.await_turn()
    touch = table.page.context.new_cdp_session(table.page)
    spots = [table.column(column).bounding_box() for column in (2, 4, 6)]
    points = [{"x": box["x"] + box["width"] / 2, "y": box["y"] + 150} for box in spots if box]
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [points[0]]})
    expect(table.page.locator(".ghost")).to_have_count(1)
    for point in points[1:]:
        touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(table.discs).to_have_count(2)
    assert (table.cell("c1"), table.cell("f1")) == ("red", "yellow")


def test_the_next_disc_waits_over_a_column_that_is_not_full(person: Person) -> None:
    table = person(pace="instant")
    table.choose("Same screen")
    for column in "3444444":
        table.drop(int(column))
    table.await_turn()
    waits = table.page.locator(".aim")
    middles = table.page.locator("[data-column]").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect()).map(box => box.x + box.width / 2)"
    )
    box = waits.bounding_box()
    assert box
    place = box["x"] + box["width"] / 2
    nearest = min(range(7), key=lambda column: abs(middles[column] - place))
    assert nearest in (2, 4)  # beside column d, which is full and was played last


LUMINANCE = """name => {
  const colour = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const canvas = document.createElement('canvas').getContext('2d');
  canvas.fillStyle = colour;
  canvas.fillRect(0, 0, 1, 1);
  const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}"""


def test_boards_and_discs_to_choose_from(person: Person) -> None:
    """Each pair of discs is told apart by shape and by contrast, in every theme; the choice is kept."""
    table = person()
    table.choose("Same screen")
    table.drop(4)
    table.drop(3)
    page = table.page
    page.get_by_role("button", name="Settings").click()

    def contrast(one: str, two: str) -> float:
        lower, higher = sorted(page.evaluate(LUMINANCE, f"--{name}") for name in (one, two))
        return float((higher + 0.05) / (lower + 0.05))

    faces = set()
    for pair in ("Berry and lemon", "Brick and straw", "Classic"):
        page.get_by_role("group", name="Discs").get_by_role("radio", name=pair).check()
        for theme in ("Light", "Dark", "High contrast"):
            page.get_by_role("radio", name=theme, exact=True).check()
            assert contrast("disc-1", "disc-2") >= 3, (pair, theme)
            for disc in ("disc-1", "disc-2"):
                assert contrast(disc, f"{disc}-sign") >= 3, (pair, theme)  # ring and star
            faces.add(page.locator(".disc .face").first.evaluate("one => getComputedStyle(one).fill"))
    assert len(faces) == 4  # one of each pair, and the classic one of high contrast
    expect(page.locator(".disc .ring")).to_have_count(1)
    expect(page.locator(".disc path.sign")).to_have_count(1)
    page.get_by_role("radio", name="Light", exact=True).check()
    page.get_by_role("group", name="Discs").get_by_role("radio", name="Berry and lemon").check()
    plates = set()
    for board in ("Wood", "Slate", "Forest", "Blue", "Wood"):
        page.get_by_role("group", name="Board").get_by_role("radio", name=board).check()
        plates.add(
            page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--board-top')")
        )
    assert len(plates) == 4
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-discs", "berry")
    expect(page.locator("html")).to_have_attribute("data-board", "wood")
