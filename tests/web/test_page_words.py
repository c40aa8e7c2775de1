"""The texts of the page: every language has every text, with the same parameters and all its plural forms."""

import json
import re
from typing import Any

import pytest

from claimeven.formats import FORMATS
from claimeven.reasons.words import LANGUAGES
from claimeven.server.errors import STATUS
from claimeven.server.thinking import OFFERED
from kit.places import ROOT

WEB = ROOT / "web" / "src"
TOLD = ROOT / "src/claimeven/catalogue/told"  # of errors
CATALOGUES = {"main": WEB / "i18n", "study": WEB / "study" / "i18n", "told": TOLD}
OTHERS = [language for language in LANGUAGES if language != "en"]
# CLDR, as Intl.PluralRules has them; French "many" is for millions.
FORMS = {
    "en": {"one", "other"},
    "fr": {"one", "other"},
    "pl": {"one", "few", "many", "other"},
    "vi": {"other"},
}
# The same word in two languages, or no word at all.
SAME = {
    "Minimax", "Monte Carlo", "Zugzwang", "Format", "Link", "Solution", "Import", "Export", "Arena", "Score",
    "Message", "Machine", "online", "Analyse", "{color}", "{headline} – claimeven", "{headline} – {reason}",
    "{nodes} positions, {seconds} s", "{seconds} s", "Pause", "Ha ha", "{name}: {what}",
}  # fmt: skip


def catalogue(part: str, language: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((CATALOGUES[part] / f"{language}.json").read_text())
    return found


def texts(entry: Any) -> list[str]:
    return [entry] if isinstance(entry, str) else list(entry.values())


def parameters(entry: Any) -> set[str]:
    return {name for text in texts(entry) for name in re.findall(r"\{(\w+)\}", text)}


@pytest.mark.parametrize("part", CATALOGUES)
@pytest.mark.parametrize("language", OTHERS)
def test_every_text_is_there(part: str, language: str) -> None:
    english, other = catalogue(part, "en"), catalogue(part, language)
    assert list(other) == list(english)
    for key, entry in english.items():
        assert isinstance(other[key], str) == isinstance(entry, str), key
        # A form may leave the number out ("a single one"), but knows no others.
        allowed = parameters(entry) | ({"n"} if isinstance(entry, dict) else set())
        assert parameters(other[key]) - {"n"} == parameters(entry) - {"n"}, key
        assert parameters(other[key]) <= allowed, key
        assert all(text.strip() for text in texts(other[key])), key


def refusals() -> set[str]:
    """The codes that a page can meet."""
    sentences = json.loads((ROOT / "src/claimeven/server/refusals.json").read_text())
    return {name.partition(".")[0] for name in sentences} | STATUS.keys() | {"server_error"}


def test_every_refusal_has_its_words() -> None:
    # These two are told by their message, which knows more; it is English.
    missing = {code for code in refusals() if f"error.{code}" not in catalogue("main", "en")}
    assert missing == {"bad_message", "not_allowed"}
    protocol = (ROOT / "docs/protocol.md").read_text()
    assert [code for code in sorted(refusals()) if f"`{code}`" not in protocol] == []


def test_every_agent_and_format_that_is_offered_has_its_words() -> None:
    agents = [name for name in OFFERED if name != "level"]  # levels are named by their number
    wanted = [
        *(f"agent.name.{name}" for name in agents),
        *(f"agent.about.{name}" for name in agents),
        *(f"format.{name}" for name in FORMATS),
    ]
    assert [key for key in wanted if key not in catalogue("main", "en")] == []


def test_what_is_told_of_errors_hides_no_text_of_the_pages_that_teach() -> None:
    assert not catalogue("study", "en").keys() & catalogue("told", "en").keys()


@pytest.mark.parametrize("part", CATALOGUES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_plural_form_is_there(part: str, language: str) -> None:
    for key, entry in catalogue(part, language).items():
        if isinstance(entry, dict):
            assert set(entry) == FORMS[language], key


@pytest.mark.parametrize("part", CATALOGUES)
@pytest.mark.parametrize("language", OTHERS)
def test_nothing_is_left_in_english(part: str, language: str) -> None:
    english = catalogue(part, "en")
    same = {key: entry for key, entry in catalogue(part, language).items() if entry == english[key]}
    characters = {f"agent.name.level:{level}" for level in range(1, 11)}  # they keep their names everywhere
    assert {key: entry for key, entry in same.items() if entry not in SAME and key not in characters} == {}


def test_french_keeps_its_narrow_spaces() -> None:
    """A space before : ; ? ! must not break the line."""
    for part in CATALOGUES:
        for key, entry in catalogue(part, "fr").items():
            assert not any(re.search(r" [:;?!»]", text) for text in texts(entry)), key


def test_the_page_says_nothing_outside_the_catalogues() -> None:
    """Text between tags, and labels, are never written out in a component."""
    allowed = {
        "claimeven",
        "· claimeven",
        "· &nbsp;✓",
        "&nbsp;✓",
        "SVG",
        "PNG",
        "GIF",
        "Enter",
        "Space",
        "claimeven arena level:5 mcts --out results",
        "claimeven play --lan",
    }
    found = []
    for path in sorted(WEB.rglob("*.svelte")):
        markup = re.sub(r"<(script|style)\b.*?</\1>|<!--.*?-->", "", path.read_text(), flags=re.DOTALL)
        for text in re.findall(
            r"(?:aria-label|title|alt|placeholder)=\"([^\"{]*[A-Za-z]{2}[^\"{]*)\"", markup
        ):
            found.append((path.name, text))
        markup = re.sub(r"\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}", "", markup)
        for text in re.findall(r">([^<>]*[A-Za-z]{2}[^<>]*)<", markup):
            if "=" not in text and text.strip() not in allowed:
                found.append((path.name, text.strip()))
    assert found == []


def test_every_key_that_is_used_exists() -> None:
    """Keys put together at run time are checked by the tests that see them."""
    known = {key for part in CATALOGUES for key in catalogue(part, "en")}
    used = set()
    for path in [*WEB.rglob("*.svelte"), *WEB.rglob("*.ts")]:
        used |= set(re.findall(r"\b(?:t|s|sOf|tMaybe)\('([\w.:-]+)'", path.read_text()))
    assert used <= known | {"key"}, used - known  # "key" is in a comment
    assert len(used) > 200
