"""Rules files by their extension, expressions, and scripts that load each other."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tocsin.algebra.rules import Declaration, Load
from tocsin.errors import RuleError, TocsinError, UsageError
from tocsin.rules import loader
from tocsin.rules.loader import MOST_LOADED, load_expression, load_file, load_files, read_text


def written(folder: Path, **files: str) -> Path:
    """Files called NAME.gem; the path of the first."""
    for name, text in files.items():
        path = folder / f"{name}.gem"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder / f"{next(iter(files))}.gem"


def declared(path: Path) -> list[str]:
    return [each.name for each in load_file(path).statements if isinstance(each, Declaration)]


def refusal(path: Path) -> str:
    with pytest.raises(TocsinError) as caught:
        load_file(path)
    return str(caught.value)


# -- files -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("r.gem", "event a\nevent out\nrule r { a ==> notify out }\nenable r"),
        ("r.GEM", "event a\nevent out\nrule r { a ==> notify out }\nenable r"),
        ("r.eps", "request r {\n  event: a\n}"),
        ("r.yaml", "rules: [{name: r, language: eps, expression: a}]"),
        ("r.yml", "rules: [{name: r, language: eps, expression: a}]"),
    ],
)
def test_the_extension_says_how_a_file_is_read(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    assert [rule.name for rule in load_file(tmp_path / name).rules] == ["r"]


def test_other_files_are_no_rules(tmp_path: Path) -> None:
    with pytest.raises(
        UsageError, match=r"'rules.txt' is not a rules file: rules are in \*.gem, \*.eps, \*.yaml or \*.yml"
    ):
        load_file(Path("rules.txt"))


def test_several_files_are_one_program_in_order(tmp_path: Path) -> None:
    written(tmp_path, one="event a", two="event b\nevent out")
    program = load_files([str(tmp_path / "two.gem"), str(tmp_path / "one.gem")])
    assert list(program.declarations) == ["b", "out", "a"]
    assert load_files([]).statements == ()


def test_the_faults_of_all_files_are_told(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.gem").write_text("event a a")
    with pytest.raises(RuleError) as caught:
        load_files([str(tmp_path / "one.gem"), str(tmp_path / "two.gem")])
    assert [Path(fault.place.file).name for fault in caught.value.faults if fault.place] == ["one.gem", "two.gem"]


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    assert refusal(tmp_path / "none.gem") == f"cannot read '{tmp_path}/none.gem': No such file or directory"
    (tmp_path / "folder.gem").mkdir()
    assert refusal(tmp_path / "folder.gem").endswith("Is a directory")
    with pytest.raises(UsageError, match="that is not a file name"):
        read_text(Path("a\0.gem"))


def test_a_file_that_is_not_utf_8(tmp_path: Path) -> None:
    path = tmp_path / "r.gem"
    path.write_bytes(b"event a\nevent \xc3\xa9\xff")
    assert refusal(path) == f"{path}:2:9: this is not UTF-8: byte 0xff"


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path: Path) -> None:
    path = tmp_path / "r.gem"
    path.write_bytes(b"\xef\xbb\xbfevent a")
    assert declared(path) == ["a"]


def test_all_faults_of_a_script_with_their_places(tmp_path: Path) -> None:
    path = written(tmp_path, r="event\nevent b\nrule r { ==> notify b }")
    with pytest.raises(RuleError) as caught:
        load_file(path)
    assert [fault.place.line for fault in caught.value.faults if fault.place] == [1, 3]


# -- expressions -----------------------------------------------------------------------------------------------------


def test_an_expression_is_one_enabled_rule() -> None:
    program = load_expression("a ; b", "gem", "a.v > 1", "r")
    (rule,) = program.rules
    assert (rule.name, rule.language, rule.strict, len(program.statements)) == ("r", "gem", False, 2)


def test_faults_of_an_expression_and_of_its_condition() -> None:
    with pytest.raises(RuleError, match=r"<expression>:1:5: unexpected '\)'"):
        load_expression("a ; ) b", "eps")
    with pytest.raises(RuleError, match="<condition>:1:6: unexpected end of the text"):
        load_expression("a", "eps", "a.v >")


# -- load ------------------------------------------------------------------------------------------------------------


def test_load_puts_the_commands_of_the_file_in_its_place(tmp_path: Path) -> None:
    path = written(tmp_path, main='event a\nload "other.gem"\nevent c', other="event b")
    assert declared(path) == ["a", "b", "c"]
    assert not any(isinstance(each, Load) for each in load_file(path).statements)


def test_a_loaded_path_is_relative_to_the_script_that_loads_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = written(
        tmp_path, **{"main": 'load "deep/one.gem"', "deep/one": 'load "../two.gem"\nevent a', "two": "event b"}
    )
    assert declared(path) == declared(Path("main.gem")) == ["b", "a"]
    absolute = written(tmp_path, other=f'load "{tmp_path}/two.gem"')
    assert declared(absolute) == ["b"]


def test_a_file_may_be_loaded_under_any_name(tmp_path: Path) -> None:
    path = written(tmp_path, main='load "events"')
    (tmp_path / "events").write_text("event a")
    assert declared(path) == ["a"]


@pytest.mark.parametrize("name", ["main.gem", "./main.gem", "../{folder}/main.gem", "link.gem"])
def test_a_file_that_loads_itself(tmp_path: Path, name: str) -> None:
    name = name.format(folder=tmp_path.name)
    path = written(tmp_path, main=f'event a\nload "{name}"')
    os.symlink(path, tmp_path / "link.gem")
    assert refusal(path).startswith(f"{path}:2:1: cannot load '{name}': it is being loaded already")


def test_files_that_load_each_other(tmp_path: Path) -> None:
    path = written(tmp_path, one='load "two.gem"', two='\nload "one.gem"')
    assert refusal(path).startswith(f"{tmp_path}/two.gem:2:1: cannot load 'one.gem': it is being loaded already")


def test_a_file_may_be_loaded_twice_one_after_the_other(tmp_path: Path) -> None:
    path = written(tmp_path, main='load "one.gem"\n~ a\nload "one.gem"', one="event a")
    assert declared(path) == ["a", "a"]


def test_a_missing_file_is_shown_where_it_is_loaded(tmp_path: Path) -> None:
    path = written(tmp_path, main='event a\n  load "none.gem"')
    assert refusal(path).splitlines()[0] == f"{path}:2:3: cannot read '{tmp_path}/none.gem': No such file or directory"


def test_a_fault_in_a_loaded_file_is_shown_there(tmp_path: Path) -> None:
    path = written(tmp_path, main='load "other.gem"', other="event a\nevent ;")
    assert refusal(path).startswith(f"{tmp_path}/other.gem:2:7: ")


def test_a_name_that_no_file_can_have(tmp_path: Path) -> None:
    assert "it is not a file name" in refusal(written(tmp_path, main='load "a\\u0000b"'))
    os.symlink(tmp_path / "loop.gem", tmp_path / "loop.gem")
    assert "loop.gem" in refusal(written(tmp_path, main='load "loop.gem"'))


def test_a_long_chain_of_files_is_loaded_and_an_endless_number_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chain = {f"f{n}": f'load "f{n + 1}.gem"' for n in range(MOST_LOADED)}
    assert declared(written(tmp_path, **chain, **{f"f{MOST_LOADED}": "event a"})) == ["a"]
    monkeypatch.setattr(loader, "MOST_LOADED", 20)
    twice = {f"g{n}": f'load "g{n + 1}.gem"\nload "g{n + 1}.gem"' for n in range(15)}
    assert "20 files are loaded already" in refusal(written(tmp_path, **twice, g15=""))


# -- directories -----------------------------------------------------------------------------------------------------


def test_a_directory_stands_for_the_rules_files_in_it(tmp_path: Path) -> None:
    """As people unpack collections of rules: with folders inside, what describes them, and tests beside them."""
    written(tmp_path, b="event b", **{"inside/c": "event c"})
    (tmp_path / "a.yaml").write_text("rules: [{name: r, language: eps, expression: a}]")
    (tmp_path / "README.md").write_text("what they are for")
    (tmp_path / "a.test.yaml").write_text("cases: []")
    (tmp_path / ".hidden.gem").write_text("event hidden")
    program = load_files([str(tmp_path)])
    assert [rule.name for rule in program.rules] == ["r"]
    assert sorted(program.declarations) == ["b", "c"]


def test_a_directory_without_rules_is_told(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("nothing here")
    with pytest.raises(UsageError, match=r"there are no rules files in '.*': rules are in \*.gem"):
        load_files([str(tmp_path)])
