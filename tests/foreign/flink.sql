-- event
SELECT *
FROM `events`
MATCH_RECOGNIZE (
  ORDER BY `ts`
  MEASURES
    a1.`id` AS `a1_id`
  ONE ROW PER MATCH
  AFTER MATCH SKIP TO NEXT ROW
  PATTERN (a1)
  DEFINE
    a1 AS a1.`type` = 'a'
);

-- guard
SELECT *
FROM `events`
MATCH_RECOGNIZE (
  ORDER BY `ts`
  MEASURES
    x1.`id` AS `x1_id`
  ONE ROW PER MATCH
  AFTER MATCH SKIP TO NEXT ROW
  PATTERN (x1)
  DEFINE
    x1 AS x1.`type` = 'a' AND (x1.`n` >= 2 AND (x1.`v` < 1.0e0) IS NOT TRUE OR x1.`s` = 'beta''s')
);

-- arithmetic
SELECT *
FROM `events`
MATCH_RECOGNIZE (
  ORDER BY `ts`
  MEASURES
    x1.`id` AS `x1_id`
  ONE ROW PER MATCH
  AFTER MATCH SKIP TO NEXT ROW
  PATTERN (x1)
  DEFINE
    x1 AS x1.`type` = 'a' AND x1.`n` * 2 + 1 > x1.`v` - 0.5e0 AND (0 - x1.`n`) <> -1
);

-- texts
SELECT *
FROM `events`
MATCH_RECOGNIZE (
  ORDER BY `ts`
  MEASURES
    x1.`id` AS `x1_id`
  ONE ROW PER MATCH
  AFTER MATCH SKIP TO NEXT ROW
  PATTERN (x1)
  DEFINE
    x1 AS x1.`type` = 'a' AND POSITION('a' IN x1.`s`) > 0 AND (STARTSWITH(LOWER(x1.`s`), 'alphab')) IS NOT TRUE AND UPPER(x1.`s`) <> 'B' AND (ENDSWITH(x1.`s`, 'ta')) IS NOT TRUE
);

-- members
SELECT *
FROM `events`
MATCH_RECOGNIZE (
  ORDER BY `ts`
  MEASURES
    x1.`id` AS `x1_id`
  ONE ROW PER MATCH
  AFTER MATCH SKIP TO NEXT ROW
  PATTERN (x1)
  DEFINE
    x1 AS x1.`type` = 'a' AND x1.`k` IN ('x', 'y') AND x1.`flag` = TRUE AND ABS((x1.`n` - 2)) <= 1
);

-- source
SELECT *
FROM `events`
MATCH_RECOGNIZE (
  ORDER BY `ts`
  MEASURES
    x1.`id` AS `x1_id`
  ONE ROW PER MATCH
  AFTER MATCH SKIP TO NEXT ROW
  PATTERN (x1)
  DEFINE
    x1 AS x1.`type` = 'a' AND x1.`source` = 'p'
);

-- site
SELECT *
FROM `events`
MATCH_RECOGNIZE (
  ORDER BY `ts`
  MEASURES
    a1.`id` AS `a1_id`
  ONE ROW PER MATCH
  AFTER MATCH SKIP TO NEXT ROW
  PATTERN (a1)
  DEFINE
    a1 AS a1.`type` = 'a' AND a1.`source` = 'p'
);

-- either
SELECT *
FROM `events`
MATCH_RECOGNIZE (
  ORDER BY `ts`
  MEASURES
    a1.`id` AS `a1_id`
  ONE ROW PER MATCH
  AFTER MATCH SKIP TO NEXT ROW
  PATTERN (a1)
  DEFINE
    a1 AS a1.`type` = 'a'
);

-- either
SELECT *
FROM `events`
MATCH_RECOGNIZE (
  ORDER BY `ts`
  MEASURES
    b1.`id` AS `b1_id`
  ONE ROW PER MATCH
  AFTER MATCH SKIP TO NEXT ROW
  PATTERN (b1)
  DEFINE
    b1 AS b1.`type` = 'b'
);

-- first
SELECT *
FROM `events`
MATCH_RECOGNIZE (
  ORDER BY `ts`
  MEASURES
    x1.`id` AS `x1_id`,
    y2.`id` AS `y2_id`
  ONE ROW PER MATCH
  AFTER MATCH SKIP TO NEXT ROW
  PATTERN (x1 gap2* y2) WITHIN INTERVAL '0 00:00:05.001' DAY TO SECOND(3)
  DEFINE
    x1 AS x1.`type` = 'a',
    gap2 AS (gap2.`type` = 'b' AND gap2.`ts` > x1.`ts`) IS NOT TRUE,
    y2 AS y2.`type` = 'b' AND y2.`ts` > x1.`ts`
);

-- first-gem
SELECT *
FROM `events`
MATCH_RECOGNIZE (
  ORDER BY `ts`
  MEASURES
    x1.`id` AS `x1_id`,
    y2.`id` AS `y2_id`
  ONE ROW PER MATCH
  AFTER MATCH SKIP TO NEXT ROW
  PATTERN (x1 gap2* y2)
  DEFINE
    x1 AS x1.`type` = 'a',
    gap2 AS (gap2.`type` = 'b' AND gap2.`ts` > x1.`ts`) IS NOT TRUE,
    y2 AS y2.`type` = 'b' AND y2.`ts` > x1.`ts` AND x1.`k` = y2.`k` AND y2.`n` > x1.`n`
);

-- first-or-other
SELECT *
FROM `events`
MATCH_RECOGNIZE (
  ORDER BY `ts`
  MEASURES
    x1.`id` AS `x1_id`,
    y2.`id` AS `y2_id`
  ONE ROW PER MATCH
  AFTER MATCH SKIP TO NEXT ROW
  PATTERN (x1 gap2* y2) WITHIN INTERVAL '0 00:00:05.001' DAY TO SECOND(3)
  DEFINE
    x1 AS x1.`type` = 'a',
    gap2 AS (gap2.`type` = 'b' AND gap2.`ts` > x1.`ts` OR gap2.`type` = 'c' AND gap2.`ts` > x1.`ts`) IS NOT TRUE,
    y2 AS y2.`type` = 'b' AND y2.`ts` > x1.`ts` AND x1.`n` < y2.`n`
);

-- run
SELECT *
FROM `events`
MATCH_RECOGNIZE (
  ORDER BY `ts`
  MEASURES
    a1.`id` AS `a1_id`,
    a2.`id` AS `a2_id`,
    a3.`id` AS `a3_id`
  ONE ROW PER MATCH
  AFTER MATCH SKIP TO NEXT ROW
  PATTERN (a1 gap2* a2 gap3* a3) WITHIN INTERVAL '0 00:00:04.001' DAY TO SECOND(3)
  DEFINE
    a1 AS a1.`type` = 'a',
    gap2 AS (gap2.`type` = 'a' AND gap2.`ts` > a1.`ts`) IS NOT TRUE,
    a2 AS a2.`type` = 'a' AND a2.`ts` > a1.`ts`,
    gap3 AS (gap3.`type` = 'a' AND gap3.`ts` > a2.`ts`) IS NOT TRUE,
    a3 AS a3.`type` = 'a' AND a3.`ts` > a2.`ts`
);

-- run-guarded
SELECT *
FROM `events`
MATCH_RECOGNIZE (
  ORDER BY `ts`
  MEASURES
    a1.`id` AS `a1_id`,
    a2.`id` AS `a2_id`
  ONE ROW PER MATCH
  AFTER MATCH SKIP TO NEXT ROW
  PATTERN (a1 gap2* a2) WITHIN INTERVAL '0 00:00:04.001' DAY TO SECOND(3)
  DEFINE
    a1 AS a1.`type` = 'a' AND a1.`n` > 1,
    gap2 AS (gap2.`type` = 'a' AND gap2.`ts` > a1.`ts` AND gap2.`n` > 1) IS NOT TRUE,
    a2 AS a2.`type` = 'a' AND a2.`ts` > a1.`ts` AND a2.`n` > 1
);

-- core
SELECT *
FROM `events`
MATCH_RECOGNIZE (
  ORDER BY `ts`
  MEASURES
    a1.`id` AS `a1_id`,
    b2.`id` AS `b2_id`,
    c3.`id` AS `c3_id`
  ONE ROW PER MATCH
  AFTER MATCH SKIP TO NEXT ROW
  PATTERN (a1 gap2* b2 gap3* c3)
  DEFINE
    a1 AS a1.`type` = 'a',
    gap2 AS (gap2.`type` = 'b' AND gap2.`ts` > a1.`ts`) IS NOT TRUE,
    b2 AS b2.`type` = 'b' AND b2.`ts` > a1.`ts`,
    gap3 AS (gap3.`type` = 'c' AND gap3.`ts` > b2.`ts`) IS NOT TRUE,
    c3 AS c3.`type` = 'c' AND c3.`ts` > b2.`ts`
);

-- core-keyed
SELECT *
FROM `events`
MATCH_RECOGNIZE (
  PARTITION BY `k`
  ORDER BY `ts`
  MEASURES
    x1.`id` AS `x1_id`,
    b2.`id` AS `b2_id`,
    c3.`id` AS `c3_id`
  ONE ROW PER MATCH
  AFTER MATCH SKIP TO NEXT ROW
  PATTERN (x1 gap2* b2 gap3* c3) WITHIN INTERVAL '0 00:00:20.001' DAY TO SECOND(3)
  DEFINE
    x1 AS x1.`type` = 'a' AND x1.`k` IS NOT NULL,
    gap2 AS (gap2.`type` = 'b' AND gap2.`ts` > x1.`ts`) IS NOT TRUE,
    b2 AS b2.`type` = 'b' AND b2.`ts` > x1.`ts`,
    gap3 AS (gap3.`type` = 'c' AND gap3.`ts` > b2.`ts`) IS NOT TRUE,
    c3 AS c3.`type` = 'c' AND c3.`ts` > b2.`ts`
);

-- core-compared
SELECT *
FROM `events`
MATCH_RECOGNIZE (
  ORDER BY `ts`
  MEASURES
    x1.`id` AS `x1_id`,
    b2.`id` AS `b2_id`
  ONE ROW PER MATCH
  AFTER MATCH SKIP TO NEXT ROW
  PATTERN (x1 gap2* b2) WITHIN INTERVAL '0 00:00:04.001' DAY TO SECOND(3)
  DEFINE
    x1 AS x1.`type` = 'a',
    gap2 AS (gap2.`type` = 'b' AND gap2.`ts` > x1.`ts` AND gap2.`n` > x1.`n`) IS NOT TRUE,
    b2 AS b2.`type` = 'b' AND b2.`ts` > x1.`ts` AND b2.`n` > x1.`n`
);

-- core-weak
SELECT *
FROM `events`
MATCH_RECOGNIZE (
  ORDER BY `ts`
  MEASURES
    a1.`id` AS `a1_id`,
    b2.`id` AS `b2_id`,
    c3.`id` AS `c3_id`
  ONE ROW PER MATCH
  AFTER MATCH SKIP TO NEXT ROW
  PATTERN (a1 gap2* b2 gap3* c3)
  DEFINE
    a1 AS a1.`type` = 'a',
    gap2 AS (gap2.`type` = 'b' AND (gap2.`ts` > a1.`ts` OR gap2.`ts` = a1.`ts` AND gap2.`source` >= a1.`source`)) IS NOT TRUE,
    b2 AS b2.`type` = 'b' AND (b2.`ts` > a1.`ts` OR b2.`ts` = a1.`ts` AND b2.`source` >= a1.`source`),
    gap3 AS (gap3.`type` = 'c' AND (gap3.`ts` > b2.`ts` OR gap3.`ts` = b2.`ts` AND gap3.`source` >= b2.`source`)) IS NOT TRUE,
    c3 AS c3.`type` = 'c' AND (c3.`ts` > b2.`ts` OR c3.`ts` = b2.`ts` AND c3.`source` >= b2.`source`)
);

-- core-mixed
SELECT *
FROM `events`
MATCH_RECOGNIZE (
  ORDER BY `ts`
  MEASURES
    a1.`id` AS `a1_id`,
    b2.`id` AS `b2_id`,
    a3.`id` AS `a3_id`
  ONE ROW PER MATCH
  AFTER MATCH SKIP TO NEXT ROW
  PATTERN (a1 gap2* b2 gap3* a3)
  DEFINE
    a1 AS a1.`type` = 'a',
    gap2 AS (gap2.`type` = 'b' AND gap2.`ts` > a1.`ts`) IS NOT TRUE,
    b2 AS b2.`type` = 'b' AND b2.`ts` > a1.`ts`,
    gap3 AS (gap3.`type` = 'a' AND (gap3.`ts` > b2.`ts` OR gap3.`ts` = b2.`ts` AND gap3.`source` >= b2.`source`)) IS NOT TRUE,
    a3 AS a3.`type` = 'a' AND (a3.`ts` > b2.`ts` OR a3.`ts` = b2.`ts` AND a3.`source` >= b2.`source`)
);

-- core-domain
SELECT *
FROM `events`
MATCH_RECOGNIZE (
  ORDER BY `ts`
  MEASURES
    a1.`id` AS `a1_id`,
    b2.`id` AS `b2_id`
  ONE ROW PER MATCH
  AFTER MATCH SKIP TO NEXT ROW
  PATTERN (a1 gap2* b2)
  DEFINE
    a1 AS a1.`type` = 'a',
    gap2 AS (gap2.`type` = 'b' AND gap2.`ts` > a1.`ts` OR gap2.`type` = 'c' AND gap2.`ts` > a1.`ts`) IS NOT TRUE,
    b2 AS b2.`type` = 'b' AND b2.`ts` > a1.`ts`
);

-- core-domain-keyed
SELECT *
FROM `events`
MATCH_RECOGNIZE (
  PARTITION BY `k`
  ORDER BY `ts`
  MEASURES
    x1.`id` AS `x1_id`,
    b2.`id` AS `b2_id`
  ONE ROW PER MATCH
  AFTER MATCH SKIP TO NEXT ROW
  PATTERN (x1 gap2* b2)
  DEFINE
    x1 AS x1.`type` = 'a' AND x1.`k` IS NOT NULL,
    gap2 AS (gap2.`type` = 'b' AND gap2.`ts` > x1.`ts` OR gap2.`type` = 'c' AND gap2.`ts` > x1.`ts`) IS NOT TRUE,
    b2 AS b2.`type` = 'b' AND b2.`ts` > x1.`ts`
);

-- core-domain-own
SELECT *
FROM `events`
MATCH_RECOGNIZE (
  ORDER BY `ts`
  MEASURES
    a1.`id` AS `a1_id`,
    b2.`id` AS `b2_id`,
    c3.`id` AS `c3_id`
  ONE ROW PER MATCH
  AFTER MATCH SKIP TO NEXT ROW
  PATTERN (a1 gap2* b2 gap3* c3)
  DEFINE
    a1 AS a1.`type` = 'a',
    gap2 AS (gap2.`type` = 'b' AND gap2.`ts` > a1.`ts`) IS NOT TRUE,
    b2 AS b2.`type` = 'b' AND b2.`ts` > a1.`ts` AND b2.`n` > 1,
    gap3 AS (gap3.`type` = 'c' AND gap3.`ts` > b2.`ts` OR gap3.`type` = 'a' AND gap3.`ts` > b2.`ts`) IS NOT TRUE,
    c3 AS c3.`type` = 'c' AND c3.`ts` > b2.`ts`
);

-- core-everything
SELECT *
FROM `events`
MATCH_RECOGNIZE (
  ORDER BY `ts`
  MEASURES
    a1.`id` AS `a1_id`,
    b2.`id` AS `b2_id`
  ONE ROW PER MATCH
  AFTER MATCH SKIP TO NEXT ROW
  PATTERN (a1 gap2* b2)
  DEFINE
    a1 AS a1.`type` = 'a',
    gap2 AS (gap2.`ts` > a1.`ts`) IS NOT TRUE,
    b2 AS b2.`type` = 'b' AND b2.`ts` > a1.`ts`
);

-- core-types
SELECT *
FROM `events`
MATCH_RECOGNIZE (
  ORDER BY `ts`
  MEASURES
    a1.`id` AS `a1_id`,
    b2.`id` AS `b2_id`
  ONE ROW PER MATCH
  AFTER MATCH SKIP TO NEXT ROW
  PATTERN (a1 gap2* b2)
  DEFINE
    a1 AS a1.`type` = 'a',
    gap2 AS ((gap2.`type` = 'b' AND gap2.`ts` > a1.`ts` OR gap2.`type` = 'c' AND gap2.`ts` > a1.`ts`)) IS NOT TRUE,
    b2 AS (b2.`type` = 'b' AND b2.`ts` > a1.`ts` OR b2.`type` = 'c' AND b2.`ts` > a1.`ts`)
);

-- core-widened
SELECT *
FROM `events`
MATCH_RECOGNIZE (
  ORDER BY `ts`
  MEASURES
    a1.`id` AS `a1_id`,
    b2.`id` AS `b2_id`
  ONE ROW PER MATCH
  AFTER MATCH SKIP TO NEXT ROW
  PATTERN (a1 gap2* b2)
  DEFINE
    a1 AS a1.`type` = 'a',
    gap2 AS (gap2.`type` = 'b' AND gap2.`ts` > a1.`ts` OR gap2.`type` = 'c' AND gap2.`ts` > a1.`ts`) IS NOT TRUE,
    b2 AS b2.`type` = 'b' AND b2.`ts` > a1.`ts`
);

-- core-condition
SELECT *
FROM `events`
MATCH_RECOGNIZE (
  ORDER BY `ts`
  MEASURES
    x1.`id` AS `x1_id`,
    y2.`id` AS `y2_id`
  ONE ROW PER MATCH
  AFTER MATCH SKIP TO NEXT ROW
  PATTERN (x1 gap2* y2)
  DEFINE
    x1 AS x1.`type` = 'a',
    gap2 AS (gap2.`type` = 'b' AND gap2.`ts` > x1.`ts`) IS NOT TRUE,
    y2 AS y2.`type` = 'b' AND y2.`ts` > x1.`ts` AND x1.`k` = y2.`k`
);

-- core-again
SELECT *
FROM `events`
MATCH_RECOGNIZE (
  ORDER BY `ts`
  MEASURES
    a1.`id` AS `a1_id`,
    b2.`id` AS `b2_id`,
    c3.`id` AS `c3_id`
  ONE ROW PER MATCH
  AFTER MATCH SKIP PAST LAST ROW
  PATTERN (a1 gap2* b2 gap3* c3)
  DEFINE
    a1 AS a1.`type` = 'a',
    gap2 AS (gap2.`type` = 'b' AND gap2.`ts` > a1.`ts`) IS NOT TRUE,
    b2 AS b2.`type` = 'b' AND b2.`ts` > a1.`ts`,
    gap3 AS (gap3.`type` = 'c' AND gap3.`ts` > b2.`ts`) IS NOT TRUE,
    c3 AS c3.`type` = 'c' AND c3.`ts` > b2.`ts`
);

-- core-again-filter
SELECT *
FROM `events`
MATCH_RECOGNIZE (
  ORDER BY `ts`
  MEASURES
    a1.`id` AS `a1_id`,
    b2.`id` AS `b2_id`
  ONE ROW PER MATCH
  AFTER MATCH SKIP PAST LAST ROW
  PATTERN (a1 gap2* b2)
  DEFINE
    a1 AS a1.`type` = 'a' AND a1.`n` > 1,
    gap2 AS (gap2.`type` = 'b' AND gap2.`ts` > a1.`ts` AND gap2.`k` = 'x') IS NOT TRUE,
    b2 AS b2.`type` = 'b' AND b2.`ts` > a1.`ts` AND b2.`k` = 'x'
);

-- core-before-timer
SELECT *
FROM `events`
MATCH_RECOGNIZE (
  ORDER BY `ts`
  MEASURES
    a1.`id` AS `a1_id`,
    b2.`id` AS `b2_id`
  ONE ROW PER MATCH
  AFTER MATCH SKIP TO NEXT ROW
  PATTERN (a1 gap2* b2) WITHIN INTERVAL '0 00:00:02.000' DAY TO SECOND(3)
  DEFINE
    a1 AS a1.`type` = 'a',
    gap2 AS (gap2.`type` = 'b' AND (gap2.`ts` > a1.`ts` OR gap2.`ts` = a1.`ts` AND gap2.`source` >= a1.`source`)) IS NOT TRUE,
    b2 AS b2.`type` = 'b' AND (b2.`ts` > a1.`ts` OR b2.`ts` = a1.`ts` AND b2.`source` >= a1.`source`)
);

-- core-before-timer-long
SELECT *
FROM `events`
MATCH_RECOGNIZE (
  ORDER BY `ts`
  MEASURES
    a1.`id` AS `a1_id`,
    b2.`id` AS `b2_id`,
    c3.`id` AS `c3_id`
  ONE ROW PER MATCH
  AFTER MATCH SKIP TO NEXT ROW
  PATTERN (a1 gap2* b2 gap3* c3)
  DEFINE
    a1 AS a1.`type` = 'a',
    gap2 AS (gap2.`type` = 'b' AND gap2.`ts` > a1.`ts`) IS NOT TRUE,
    b2 AS b2.`type` = 'b' AND b2.`ts` > a1.`ts`,
    gap3 AS (gap3.`type` = 'c' AND (gap3.`ts` > b2.`ts` OR gap3.`ts` = b2.`ts` AND gap3.`source` >= b2.`source`)) IS NOT TRUE AND gap3.`ts` < b2.`ts` + INTERVAL '0 00:00:02.000' DAY TO SECOND(3),
    c3 AS c3.`type` = 'c' AND (c3.`ts` > b2.`ts` OR c3.`ts` = b2.`ts` AND c3.`source` >= b2.`source`) AND c3.`ts` < b2.`ts` + INTERVAL '0 00:00:02.000' DAY TO SECOND(3)
);
