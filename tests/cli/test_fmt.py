"""`tocsin fmt`: the standard form, with every comment and blank line where it was."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings

from tests.amounts import examples
from tests.cli.conftest import Run
from tests.conformance.cases import all_cases
from tests.languages.strategies import EPS_DOCUMENTS, GEM_SCRIPTS
from tocsin.algebra.rules import Statement
from tocsin.errors import Source
from tocsin.languages import eps, gem
from tocsin.rules.standard_form import formatted

MESSY = """\
// rules of the house


event   a ( long  v )   // how many
/* two
   lines */
event out(long v)
   rule r[60*sec]{ x:a;y:a when (x.v<y.v) ==> notify out( x.v ) }
rule s { a ==> /* why */ notify out(1) }

enable   *
"""
TIDY = """\
// rules of the house

event a(long v)   // how many
/* two
   lines */
event out(long v)
rule r [1*min] {
  x:a ; y:a when x.v < y.v
  ==> notify out(x.v)
}
rule s { a ==> /* why */ notify out(1) }

enable *
"""
SCRIPTS = [case.fields["script"] for case in all_cases() if "script" in case.fields and case.error is None]


def tidied(text: str, name: str = "r.gem") -> str:
    return formatted(text, Path(name))


def comments(text: str) -> list[str]:
    return re.findall(r"//.*|/\*[\s\S]*?\*/", text)


def test_statements_are_rewritten_and_what_is_between_stays() -> None:
    assert tidied(MESSY) == TIDY


def test_the_result_is_a_fixed_point() -> None:
    assert tidied(TIDY) == TIDY


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("", ""),
        ("\n\n", ""),
        ("// only a comment", "// only a comment\n"),
        ("event a\n\n\n\nevent b", "event a\n\nevent b\n"),
        ("event a\nevent b\n", "event a\nevent b\n"),
        ("event a\r\n\r\nevent b\r\n", "event a\n\nevent b\n"),
        ("/* c */ event a", "/* c */ event a\n"),
        ("/* c */event a // d  ", "/* c */ event a // d\n"),
        ('rule r { a ==> notify out("http://x") }', 'rule r { a ==> notify out("http://x") }\n'),
    ],
)  # fmt: skip
def test_blanks_and_comments(text: str, result: str) -> None:
    assert tidied(text) == result
    assert tidied(result) == result


def test_a_document_of_eps() -> None:
    text = "/* who */\nrequest r {\n  window: 60 sec\n  event: x:a;y:b\n}\n\n\n\nrequest s { event: c\n }\n"
    result = tidied(text, "r.eps")
    assert result.startswith("/* who */\nrequest r {\n  event: x:a ; y:b\n")
    assert "}\n\nrequest s {\n  event: c\n}\n" in result
    assert tidied(result, "r.eps") == result
    assert eps.parse_document(Source(result)) == eps.parse_document(Source(text))


@pytest.mark.parametrize("text", SCRIPTS)
def test_a_formatted_script_means_the_same_and_stays_as_it_is(text: str) -> None:
    result = tidied(text)
    assert gem.parse_script(Source(result)) == gem.parse_script(Source(text))
    assert tidied(result) == result
    assert comments(result) == comments(text)


@settings(max_examples=examples(60))
@given(GEM_SCRIPTS)
def test_any_script_is_a_fixed_point_once_it_is_formatted(script: tuple[Statement, ...]) -> None:
    text = gem.render_script(script)
    assert tidied(text) == tidied(tidied(text))
    assert gem.parse_script(Source(tidied(text))) == script


@settings(max_examples=examples(40))
@given(EPS_DOCUMENTS)
def test_any_document_means_the_same_once_it_is_formatted(document: tuple[Statement, ...]) -> None:
    text = tidied(eps.render_document(document), "r.eps")
    assert eps.parse_document(Source(text)) == document


# -- the command -------------------------------------------------------------------------------------------------------


def test_files_are_rewritten_where_they_stand(tocsin: Run, tmp_path: Path) -> None:
    for name, text in (("one.gem", MESSY), ("two.gem", TIDY)):
        (tmp_path / name).write_text(text)
    assert tocsin("fmt", "one.gem", "two.gem") == (0, "", "tocsin: one.gem formatted\n")
    assert (tmp_path / "one.gem").read_text() == (tmp_path / "two.gem").read_text() == TIDY


def test_a_byte_order_mark_goes_and_line_ends_are_made_alike(tocsin: Run, tmp_path: Path) -> None:
    (tmp_path / "r.gem").write_bytes(b"\xef\xbb\xbfevent  a\r\n\r\nevent b\r\n")
    assert tocsin("fmt", "r.gem").code == 0
    assert (tmp_path / "r.gem").read_bytes() == b"event a\n\nevent b\n"


def test_checking_changes_nothing_and_ends_with_1(tocsin: Run, tmp_path: Path) -> None:
    (tmp_path / "r.gem").write_text(MESSY)
    assert tocsin("fmt", "--check", "r.gem") == (1, "", "tocsin: r.gem would change\n")
    assert (tmp_path / "r.gem").read_text() == MESSY
    (tmp_path / "r.gem").write_text(TIDY)
    assert tocsin("fmt", "--check", "r.gem") == (0, "", "")


def test_the_result_on_standard_output(tocsin: Run, tmp_path: Path) -> None:
    (tmp_path / "r.gem").write_text(MESSY)
    assert tocsin("fmt", "--stdout", "r.gem") == (0, TIDY, "")
    assert (tmp_path / "r.gem").read_text() == MESSY


def test_a_broken_file_is_left_alone_and_the_others_are_done(tocsin: Run, tmp_path: Path) -> None:
    broken = "event   a\nevent ;\n"
    for name, text in (("broken.gem", broken), ("r.gem", MESSY)):
        (tmp_path / name).write_text(text)
    done = tocsin("fmt", "broken.gem", "none.gem", "rules.yaml", "r.gem")
    assert done.code == 1
    assert done.err.startswith("broken.gem:2:7: unexpected ';'")
    assert "tocsin: cannot read 'none.gem': No such file or directory\n" in done.err
    assert "rules.yaml" in done.err
    assert done.err.endswith("tocsin: r.gem formatted\n")
    assert (tmp_path / "broken.gem").read_text() == broken
    assert (tmp_path / "r.gem").read_text() == TIDY


def test_yaml_is_not_formatted(tocsin: Run, tmp_path: Path) -> None:
    (tmp_path / "r.yaml").write_text("rules: []")
    assert tocsin("fmt", "r.yaml").err == "tocsin: 'r.yaml' cannot be formatted: fmt takes *.gem and *.eps files\n"
