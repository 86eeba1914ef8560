"""Languages are found by themselves and asked for by name."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.languages.building import event, then
from tocsin import languages
from tocsin.algebra.patterns import Never
from tocsin.errors import RuleError, Source, UsageError

PAIR = then(event("a"), event("b"))


def test_every_language_is_found() -> None:
    assert {"eps", "gem"} <= set(languages.languages())
    assert list(languages.languages()) == sorted(languages.languages())


@pytest.mark.parametrize("language", ["eps", "gem"])
def test_a_text_or_a_source_is_read_and_written(language: str) -> None:
    assert languages.parse("a ; b", language) == languages.parse(Source("a ; b", "f"), language) == PAIR
    assert languages.render(PAIR, language) == "a ; b"


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("gme", "did you mean 'gem'?"),
        ("", "the languages are"),
        ("lexer", "unknown language 'lexer'"),
        ("os.path", "unknown language 'os.path'"),
        ("gem_scripts", "unknown language"),
    ],
)
def test_an_unknown_language_is_refused_with_the_nearest(name: str, part: str) -> None:
    with pytest.raises(UsageError) as caught:
        languages.parse("a", name)
    assert part in str(caught.value)


def test_a_text_is_named_expression_in_messages() -> None:
    with pytest.raises(RuleError, match=r"^<expression>:1:3: "):
        languages.parse("a b", "gem")


@pytest.mark.parametrize(("language", "name"), [("eps", "EPS"), ("gem", "GEM")])
def test_what_a_language_lacks_is_named(language: str, name: str) -> None:
    with pytest.raises(RuleError, match=f"{name} has no way to write free negation"):
        languages.render(Never(event("a")), language)


def test_a_language_is_imported_when_it_is_asked_for() -> None:
    script = (
        "import sys; from tocsin import languages; "
        "known = {f'tocsin.languages.{name}' for name in ('core', 'eps', 'gem', 'global_', 'pretty', 'python_', 'sel')}; "
        "assert not known & sys.modules.keys(); "
        "languages.parse('a', 'gem'); "
        "assert 'tocsin.languages.gem' in sys.modules; assert 'tocsin.languages.eps' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
