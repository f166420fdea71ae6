import { expect } from 'vitest';
import { Agency } from '#core/agency/agency.js';
import { OPERATION_NAMES, STRATEGIES, strategyNamed, termsOf } from '#core/agency/strategy.js';
import { thinlyScored } from '#core/agency/summary.js';
import { verifies } from '../../verifies.js';
import { role } from '../agency/people.js';

verifies('evolve.strategy', 'what each strategy may do, to how many parents, and under which names', () => {
  expect(STRATEGIES.map(strategyNamed)).toEqual([
    ...['mutation', 'crossover', 'gap-analysis', 'retirement', 'tradeoff-tuning', 'all'],
  ]);
  expect([strategyNamed('motivation-tuning'), strategyNamed('other')]).toEqual(['tradeoff-tuning', undefined]);
  const modify = ['modify_role', 'modify_tradeoff'];
  const terms = STRATEGIES.map((strategy) => {
    const { operations, parents, listsOnly } = termsOf(strategy);
    return [operations, parents, listsOnly];
  });
  expect(terms).toEqual([
    [modify, [1, 1], false],
    [modify, [2, Number.POSITIVE_INFINITY], false],
    [['create_role', 'create_tradeoff'], [0, 0], false],
    [['retire_role', 'retire_tradeoff'], [1, 1], false],
    [['modify_tradeoff'], [1, 1], true],
    [OPERATION_NAMES, [0, Number.POSITIVE_INFINITY], false],
  ]);
  expect(OPERATION_NAMES).toEqual([
    ...['create_role', 'modify_role', 'retire_role', 'create_tradeoff', 'modify_tradeoff', 'retire_tradeoff'],
  ]);
});

verifies('evolve.strategy', 'a warning for roles with one to four scores', () => {
  const roles = ['None', 'One', 'Four', 'Five', 'New'].map((name) => role(name));
  const counts = [0, 1, 4, 5];
  const stats = { roles: counts.map((count, at) => ({ id: roles[at]?.id, count })) };
  expect(thinlyScored(new Agency(roles), stats as never)).toEqual(
    [1, 4].map(
      (count) =>
        `${count === 1 ? 'One' : 'Four'} has ${count} scores: fewer than 5 are not reliable; 5 to 10 are advised.`,
    ),
  );
});
