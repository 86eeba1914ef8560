/** What editors complete: the words of each language beside the names of types and attributes. */
export const LANGUAGES = ['pretty', 'sel', 'gem', 'eps', 'global', 'core', 'python'] as const;

export const LANGUAGE_TITLES: Record<string, string> = {
  pretty: 'in words', sel: 'SEL', gem: 'GEM', eps: 'EPS', global: 'GLOBAL', core: 'CORE', python: 'Python',
};

export const WORDS: Record<string, string[]> = {
  pretty: ['followed by', 'and', 'or', 'not', 'where', 'within', 'at least', 'times', 'with the same', 'with different', 'every'],
  sel: ['if', 'in', 'at', 'delta'],
  gem: ['when'],
  eps: ['NOT', 'TimesEq', 'TimesDf', 'at', 'every', 'first', 'last'],
  global: ['NOT'],
  core: ['in'],
  python: ['tc.event', 'then', 'where', 'within', 'never', 'at_least', 'without'],
};

export const CONTEXTS = ['unrestricted', 'generic', 'chronicle', 'recent', 'continuous', 'cumulative'];
export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'informational'];
