"""Words: what tokens a text is cut into, where they stand, and what is no token at all."""

from __future__ import annotations

import pytest

from tocsin.errors import RuleError
from tocsin.languages.lexer import Kind, Lexer, Syntax, Token, quote

SYNTAX = Syntax((";", "|", "||", "|@", "=", "==", "==>", "(", ")", "[", "]", "{", "}", "*", "/", ".", "-"))
LINES = Syntax(SYNTAX.operators, newlines=True)


def tokens(text: str, syntax: Syntax = SYNTAX) -> list[Token]:
    lexer = Lexer(text, syntax)
    found = [lexer.next()]
    while found[-1].kind is not Kind.END:
        found.append(lexer.next())
    return found


def texts(text: str, syntax: Syntax = SYNTAX) -> list[str]:
    return [token.text for token in tokens(text, syntax)[:-1]]


def kinds(text: str, syntax: Syntax = SYNTAX) -> list[Kind]:
    return [token.kind for token in tokens(text, syntax)[:-1]]


def test_the_longest_operator_wins() -> None:
    assert texts("a==>b==c=d||e|@f|g") == ["a", "==>", "b", "==", "c", "=", "d", "||", "e", "|@", "f", "|", "g"]


def test_every_token_knows_where_it_stands() -> None:
    text = "  ab ;\t12.5e-3 'x y'"
    for token in tokens(text)[:-1]:
        assert text[token.start : token.stop] == token.text
        assert (token.span.start, token.span.stop) == (token.start, token.stop)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0 12 1.5 2e3 2.5E-7 1e+2", ["0", "12", "1.5", "2e3", "2.5E-7", "1e+2"]),
        ("1.e 1..2 5min 12abc", ["1", ".", "e", "1", ".", ".", "2", "5", "min", "12", "abc"]),
        ("1e", ["1", "e"]),
    ],
)
def test_numbers(text: str, expected: list[str]) -> None:
    assert texts(text) == expected


@pytest.mark.parametrize("name", ["a", "_", "_1", "temp_alarm", "é", "naïve", "名前", "हिन्दी", "x२", "ﬁ"])
def test_names_are_what_python_calls_identifiers(name: str) -> None:
    (token, end) = tokens(name)
    assert (token.kind, token.text, end.kind) == (Kind.NAME, name, Kind.END)


def test_a_name_ends_where_the_identifier_ends() -> None:
    assert texts("é;à") == ["é", ";", "à"]
    assert kinds("a²") == [Kind.NAME, Kind.ERROR]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('"plain"', "plain"),
        ("'it''s'", "it"),
        (r'"a\"b\'c\\d\ne\tf"', "a\"b'c\\d\ne\tf"),
        (r"'\u00e9\u0000'", "é\x00"),
        (r'"\ud83d\ude00"', "😀"),
        ('"/* no comment */ // nor this"', "/* no comment */ // nor this"),
        ('""', ""),
    ],
)
def test_strings(text: str, value: str) -> None:
    token = tokens(text)[0]
    assert (token.kind, token.value) == (Kind.STRING, value)


@pytest.mark.parametrize(
    ("text", "start", "stop", "message"),
    [
        ('"abc', 0, 4, "not closed"),
        ("'abc\n'", 0, 4, "not closed"),
        (r'"a\qb"', 2, 4, "unknown escape"),
        (r'"\u12"', 1, 3, "unknown escape"),
        (r'"x\ud800y"', 2, 8, "surrogate"),
        (r'"\ude00\ud83d"', 1, 7, "surrogate"),
        ("a /* b", 2, 4, "never closed"),
        ("a \\ b", 2, 3, "backslash"),
        ("a\x00b", 1, 2, "U+0000"),
        ('"a\x00b"', 2, 3, "U+0000"),
        ("// a\x00b", 4, 5, "U+0000"),
        ("/* a\udc00b */ c", 4, 5, "U+DC00"),
        ("a \ud800", 2, 3, "U+D800"),
        ("a\u00a0b", 1, 2, "NO-BREAK SPACE"),
        ("#", 0, 1, "illegal character '#'"),
        ("“x”", 0, 1, "LEFT DOUBLE QUOTATION MARK"),
        ("1" * 401, 0, 401, "more than 400 digits"),
    ],
)
def test_what_is_no_token_says_why(text: str, start: int, stop: int, message: str) -> None:
    error = next(token for token in tokens(text) if token.kind is Kind.ERROR)
    assert (error.start, error.stop) == (start, stop)
    assert message in error.fault().message
    assert error.fault().span == error.span


def test_comments_and_continued_lines_are_blanks() -> None:
    assert texts("a /* x\n * y **/ ; // z\n b \\\n c \\  \r\n d \\") == ["a", ";", "b", "c", "d"]


def test_a_mark_before_the_file_is_skipped() -> None:
    assert texts("\ufeffa") == ["a"]


class TestLines:
    def test_the_end_of_a_line_is_a_token_where_the_language_wants_it(self) -> None:
        assert kinds("a\n\n // c\n\n b\n", LINES) == [Kind.NAME, Kind.NEWLINE, Kind.NAME, Kind.NEWLINE]
        assert kinds("a\nb") == [Kind.NAME, Kind.NAME]

    @pytest.mark.parametrize("brackets", ["()", "[]", "{}"])
    def test_but_not_inside_brackets(self, brackets: str) -> None:
        opener, closer = brackets[0], brackets[1]
        assert Kind.NEWLINE not in kinds(f"a {opener}\n b\n{closer}", LINES)
        assert Kind.NEWLINE in kinds(f"a {opener}\n b\n{closer}\nc", LINES)

    def test_nor_after_a_backslash_or_before_the_first_token(self) -> None:
        assert kinds("\n\na \\\n b", LINES) == [Kind.NAME, Kind.NAME]

    def test_a_bracket_too_many_closes_nothing(self) -> None:
        assert Kind.NEWLINE in kinds(")) a\nb", LINES)

    def test_only_some_brackets_may_be_quiet(self) -> None:
        syntax = Syntax(SYNTAX.operators, newlines=True, quiet="(")
        assert kinds("{ a\n }", syntax)[2] is Kind.NEWLINE

    def test_a_line_that_ends_with_a_joining_operator_goes_on(self) -> None:
        syntax = Syntax(SYNTAX.operators, newlines=True, joining=frozenset((";",)))
        assert kinds("a ;\n b\n", syntax) == [Kind.NAME, Kind.OPERATOR, Kind.NAME, Kind.NEWLINE]

    def test_it_stands_right_behind_the_last_token(self) -> None:
        newline = tokens("ab   // c\nd", LINES)[1]
        assert (newline.kind, newline.start, newline.stop) == (Kind.NEWLINE, 2, 2)

    def test_the_first_token_of_a_line_is_known(self) -> None:
        assert [token.text for token in tokens("a b\nc (\nd e\\\nf)", LINES) if token.fresh] == ["a", "c", "d"]


def test_the_end_stands_behind_the_last_token_and_stays() -> None:
    lexer = Lexer("ab  \n ", SYNTAX)
    lexer.next()
    assert [(lexer.next().kind, lexer.next().start) for _ in range(2)] == [(Kind.END, 2)] * 2


@pytest.mark.parametrize(
    "text", ["", "a'b", 'say "x"', "back\\slash", "a\nb\tc\rd", "\x00\x7f", "é😀\u2028", "\U000e0001"]
)
def test_a_quoted_text_lexes_to_itself(text: str) -> None:
    token = tokens(quote(text))[0]
    assert (token.kind, token.value) == (Kind.STRING, text)
    assert quote(text).isprintable()


def test_half_a_surrogate_pair_cannot_be_quoted() -> None:
    with pytest.raises(RuleError, match="surrogate"):
        quote("a\ud800")
