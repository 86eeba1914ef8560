"""What the fuzzer starts from: the examples of the papers, one list a parser."""

from __future__ import annotations

GUARDS = (
    "temp_update.t > 10",
    "e1.a=<10",
    "(e1.c==e2.d) && (e1.e>=e2.f)",
    "(@x - |@x) < [3*sec]",
    "([10:00] < @e1 ) && ( @e1 < [12:00])",
    '([24/Dec/95] < @x ) && ( @x < [2/Jan/96]) && ($x=="master generator")',
    "([8:00] < @x) && (@x < [17:00]) && ([Mon] <= @x) && (@x <= [Fri])",
    "(?z && (x == y)) || (?w && ($x == $w))",
    "x.user in ('ann', \"bob\") and not during(x, y) or abs(x.v - -2.5e3) % 7 != 1",
    "now - @x > 2.5 h && self != $x && contains(lower(x.'user-id'), '\\u00e9\\n')",
    "sum(x.v) / count(x) >= max(x.v) * 2 || x.v = null || true",
)

EPS_EXPRESSIONS = (
    "TimesEq(3, E1, attr1) || (E2; E1)",
    "at(E, 0/0/2 0:01:05)",
    "(E1 & E2) & E3",
    "s:st ; r:rt",
    "TimesDf(3, x:'com.example.scan', port)",
    "at(2026/11/15 20:00:00) ; every(0/0/1 0:00:00)",
    "a & (b ; (c || d)) ; x:(e & f) // comment\n || /* another */ at(g ; h, 1/6/0 12:30:00.25)",
)

EPS_DOCUMENTS = (
    """request hot {
  event: x:e1 & y:e2
  condition: x.v > 10
  notification: "too hot in {x.room}"
}
""",
    """// all clauses
request 'all of it' {
  event: s:st ;
         r:rt || TimesEq(2, e, k)
  condition: s.proc == r.proc && s.msg == r.msg
  notification: "cycle"
  callback: "http://localhost:8080/alarm"
  window: 0/0/0 0:10:00
  context: generic
  order: delay:5 sec
}
request b { event: a ; b }
request c {
  event: (a
    ; b)
  order: probabilistic:0.95
}
""",
)

GEM_EXPRESSIONS = (
    "every[day+12*hour] | at[01:30 Thu 29/Feb/1996]",
    "at[Fri 13/-/-] ; at[01:30 -/Feb/96] ; [1/-/96]",
    "(e1 & e2) + [1*day+12*hour]",
    "{e1 ; e2} ! e3",
    "((e1 when e1.a=<10) & (e2 when e2.b>20)) when (e1.c==e2.d) && (e1.e>=e2.f)",
    "x: (e1 & e2 & e3) when (@x - |@x) < [3*sec]",
    "( e1 ; y:* ) when (@y-@e1) <= [5*sec]",
    "((x:temp_alarm & y:press_alarm) when (($x==$y) && ((@x-@y) < [10*sec]))) + [5*sec]",
    "({x:ALARM_A ; z:(y:ALARM_A + [1*min])} ! w:ALARM_B) when (?z && (x == y)) || (?w && ($x == $w))",
    "(a & b) ; ((c ; d) ! e) \\\n | 'com.example.login'",
)

GEM_SCRIPTS = (
    """event signal
event warning(double temp, itime interval, string mesg)
rule A { e1 ==> forward e1; e2; disable }
rule B { e2 + [5*sec] ==> enable A }
enable A
enable *
""",
    """event e1 ( long l, string s, itime it )
e2
e2 [8:30 15/5/95]
e1 (3, "some string", [5*hour+30*min])
e1 "s10" [10:30:0.0 Mon 15/5/95] (3, "some string", [5*hour+30*min])
disable *
stop
~ e1
~ rule r
load "testfile.mi"
""",
    """event backup
rule backup {\\
  ( x:every[hour]\\
    when ([8:00] < @x) && (@x < [17:00]) &&\\
      ([Mon] <= @x) && (@x <= [Fri])) |\\
  ( y:every[2*hour] when ([Sat] == @y) )\\
    ==> notify backup\\
}

enable backup
""",
    """event warning(string sensor_id; double t; double p)
rule warning [15*sec] {
  ((x:temp_alarm & y:press_alarm) when ($x==$y)) + [5*sec] // pairs
  ==> warning($x, x.t, y.p); notify 'out'("Friday 13th", -4.5)
}
rule EXPECTED [10*min] { ({x:A ; z:(y:A + [1*min])} ! w:B) when ?z && (x == y) ==> forward x }
""",
)

SEL_EXPRESSIONS = (
    "a -> !b in 20 seconds",
    "!c -> ({a -> !b} in 2 minutes) in 5 minutes",
    "(!b -> a in 20 seconds) -> (c & (d | !e) in 2 minutes)",
    "(c → !i)*[3, 3] -> c in 730 days",
    "!LinkADownAlert -> {LinkADown -> !LinkAUp in 2 minutes} in 5 minutes",
    "x:a*3 delta 1 hour 30 minutes -> y:'com.example.up' Δ 2.5 h",
    "x:a -> !(y:b if y.k == x.k && @y - @x < [5*sec]) -> c if x.k in (1, 2) in 1 day // comment",
    "(a at [10:30 15/5/95, 2026/11/15 20:00:00]) & (!b at [-12.5, 2026-11-15T20:00:00.25Z])",
)

PRETTY_EXPRESSIONS = (
    "'Event A' followed_by 'Event B' within '1h'",
    "down as d unless (up as u where u.link == d.link) within 2 minutes",
    "login as a then logout as b without reset followed by any event where a.user = b.user and not (a.v > 2.5)",
    "login at least 3 times with the same user within 1 hour 30 minutes",
    "(a or b 2 to 4 times) and not end of (c then d) between '2026-11-15T20:00:00Z' and '2026-11-16'",
    "5 minutes after (a 1 time with different 'user-id') and every 10 minutes or at [10:30 Fri] // comment",
)

CORE_EXPRESSIONS = (
    "[B] ; [P] | [J]",
    "[B in {B, P}] [!B in {B, P, J}] [B]",
    "[A] [A ⊆ {A, B}]* [¬'com.example.c' & !{A, B}]",
    "([Temp(location = 'FE02' AND temp < 15) in Temp] | [Temp]*, [T1 in {T1, Pers}]){T1 = 5 min}",
    "([A], [B] | ([C], [D in *]){T2 = 1h30m}){T = 2026-11-15T20:00:00Z}",
    "Anyone = {Brian, Peter, Jean}\n[[Brian] [Peter]* [Jean] in Anyone & !Jean] // comment",
    "[o:Open(this.'max temp' > 2)] ; [Close($this = $o and room == o.room and @this - @o < [5*sec])]",
    "([A] ; [B]) || [C, D(v in (1, 2))] || [E] [E]",
)

CORE_RULES = (
    "A = {Brian, Peter}\nPair = [Brian] || [Peter]\n[Pair] ; [Jean in A]",
    "'event 1' = ([B], [P in {P, T1}]){T1 = 1 h}\nS = {B, 'event 1'} & !P\nD = ['event 1'] ;\n  [B]*\n[D in {D, S}] [B in *]",
)

GLOBAL_EXPRESSIONS = (
    "(login@berlin || login@oxford) ; transfer",
    "((a , e1) ; b) | (c ; NOT e2 ; d)",
    "a ; NOT b ; c ; NOT d ; e",
    "x:a@'site 1' * y:('com.example.b' , c , d)",
    "at(2026/11/15 20:00:00) ; every(0/0/1 0:00:00)",
    "at(x:(a | b | c), 0/0/2 0:01:05) || at(a ; b, 5 min) // comment",
)

TIME_POINTS = (
    "10:30",
    "Fri",
    "29/Feb/96",
    "01:30 29/Feb/96",
    "01:30 -/Feb/96",
    "Fri 13/-/-",
    "1/-/96",
    "10:30:0.0 Mon 15/5/95",
    "23:59:59.999 Saturday 31/December/2050",
)

PERIODS = (
    "[65*sec]",
    "[1*day+12*hour]",
    "5*hour+30*min",
    "day+12*hour",
    "1h30m",
    "2.5 h",
    "90",
    "PT5M",
    "P1Y2M3W4DT5H6M7.5S",
    "0/0/2 0:01:05",
    "1/6/0 12:30:00.25",
)

PYTHON_EXPRESSIONS = (
    "a, b = tc.event('link_down'), tc.event('link_up', 'up')\n"
    "a.then(b.where(a.link == b.link).never()).within('2 min')",
    "import tocsin as tc\nx = tc.event('a', site='s1')\n(x | tc.unnamed('b')) & tc.any_event().repeated(2, 5)",
    "tc.event('login').times(3, same='user').then_ends(tc.every('5 min')).between('2026-01-01', 5e9)",
    "x = tc.event('a')\nx.then(x.named('y')).without(tc.event('c'), when=~(x['host name'] == 'p') & (abs(x.v) > -1.5))",
    "a, c = tc.event('a'), tc.event('c')\na.then(tc.event('b')).without(c, where=c.k == a.k).within('1 min')",
    "x = tc.event('a')\nx.where(x.v.sum() / x.v.count() % 7 >= 2, x.end_ - x.start_ < tc.guard('[5*sec]'), x.k.is_in(1, None))",
    "tc.event('a').precedes(tc.at('20:00')).concurrent(tc.event('b').later('5 s').at_once()).all_before(tc.event('c'))",
)
