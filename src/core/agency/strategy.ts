/** Possible operations on roles and trade-offs. */
export const OPERATION_NAMES = [
  'create_role',
  'modify_role',
  'retire_role',
  'create_tradeoff',
  'modify_tradeoff',
  'retire_tradeoff',
] as const;
export type EvolutionOperation = (typeof OPERATION_NAMES)[number];

/** Goals of an evolution. */
export const STRATEGIES = ['mutation', 'crossover', 'gap-analysis', 'retirement', 'tradeoff-tuning', 'all'] as const;
export type Strategy = (typeof STRATEGIES)[number];

/** Older names, from before trade-offs were called so. */
const ALIASES: Readonly<Record<string, Strategy>> = { 'motivation-tuning': 'tradeoff-tuning' };

export function strategyNamed(word: string): Strategy | undefined {
  return ALIASES[word] ?? STRATEGIES.find((strategy) => strategy === word);
}

interface StrategyTerms {
  readonly operations: readonly EvolutionOperation[];
  /** Allowed number of parents of a changed entity. */
  readonly parents: readonly [least: number, most: number];
  /** Whether only the two lists of a trade-off may change. */
  readonly listsOnly: boolean;
  /** Explanation for the model. */
  readonly rule: string;
}

const MODIFY = ['modify_role', 'modify_tradeoff'] as const;
const ANY = Number.POSITIVE_INFINITY;

const TERMS: Readonly<Record<Strategy, StrategyTerms>> = {
  mutation: {
    operations: MODIFY,
    parents: [1, 1],
    listsOnly: false,
    rule: 'modify_role and modify_tradeoff, each with one target_id',
  },
  crossover: {
    operations: MODIFY,
    parents: [2, ANY],
    listsOnly: false,
    rule: 'modify_role and modify_tradeoff, each with a list of two or more target_id',
  },
  'gap-analysis': {
    operations: ['create_role', 'create_tradeoff'],
    parents: [0, 0],
    listsOnly: false,
    rule: 'create_role and create_tradeoff',
  },
  retirement: {
    operations: ['retire_role', 'retire_tradeoff'],
    parents: [1, 1],
    listsOnly: false,
    rule: 'retire_role and retire_tradeoff',
  },
  'tradeoff-tuning': {
    operations: ['modify_tradeoff'],
    parents: [1, 1],
    listsOnly: true,
    rule: 'modify_tradeoff with one target_id, and of it only acceptable_tradeoffs and unacceptable_tradeoffs',
  },
  all: { operations: OPERATION_NAMES, parents: [0, ANY], listsOnly: false, rule: 'all of them' },
};

export function termsOf(strategy: Strategy): StrategyTerms {
  return TERMS[strategy];
}
