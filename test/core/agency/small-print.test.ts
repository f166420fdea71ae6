import { expect, test } from 'vitest';
import { Agency } from '#core/agency/agency.js';
import { inferredIn } from '#core/agency/evaluation-judge.js';
import { mergeEntity } from '#core/agency/merge-entity.js';
import { outlooksOf } from '#core/agency/outlook.js';
import { pairOf } from '#core/agency/pairing.js';
import { performanceFrom } from '#core/agency/read.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { verifies } from '../../verifies.js';
import { agent, role, TERMS, tradeoff } from './people.js';

verifies('flip.run', 'a task that a model infers is a text with something in it', () => {
  const inferred = (value: unknown) => inferredIn(JSON.stringify({ inferred_prompt: value }));
  expect([inferred('Write it'), inferred('  '), inferred(7), inferred(undefined)]).toEqual([
    'Write it',
    undefined,
    undefined,
    undefined,
  ]);
});

test('who was never tried is expected to do no better than best, whatever role and trade-off did elsewhere', () => {
  const scored = (scores: readonly number[]) =>
    performanceFrom(
      scores.map((score, at) => ({ score, task_id: `t${at}`, timestamp: '2026-01-01T00:00:00Z', context_id: 'x' })),
    );
  const [good, careful] = [
    role('Good', { performance: scored([1, 1, 1, 1, 1, 1]) }),
    tradeoff('Careful', { performance: scored([1, 1, 1, 1, 1, 1]) }),
  ];
  const fresh = agent('Fresh', { role_id: good.id, tradeoff_id: careful.id });
  const usual = agent('Usual', { role_id: role('Other').id }, [0.6, 0.6]);
  const agency = new Agency([good, careful, fresh, usual]);
  expect(outlooksOf(agency, [fresh, usual], new Set(), TERMS.exploration).get(fresh.id)?.expected).toBe(1);
});

verifies(
  'fed.existing',
  'two that wait and are out of use in both places are the very same: nothing is written',
  () => {
    const waits = role('Writer', { pending: true, retired: true });
    expect(mergeEntity(waits, { ...waits }, false)).toBe(waits);
    const { retired: _, ...inUse } = waits;
    expect(mergeEntity(waits, inUse as typeof waits, false)).not.toHaveProperty('retired');
  },
);

test('a file that is left out is said to be, when somebody asks for what is in it', () => {
  const id = 'ab'.repeat(32);
  const agency = new Agency([], [`roles/${id}.yaml:1: forged_id`]);
  for (const [kind, word, what] of [
    ['role', 'abab', /^The file of role abab is left out: roles\/abab.*forged_id/],
    ['role', 'Writer', /^There is no role Writer/],
    ['tradeoff', 'abab', /^There is no tradeoff abab/],
  ] as const)
    expect(() => agency.find(kind, word)).toThrow(
      expect.objectContaining({ code: 'not_found', message: expect.stringMatching(what) }),
    );
});

test('a name that is cut off ends with a letter', () => {
  const long = tradeoff('x'.repeat(TEAM_LIMITS.agencyNameCharacters - 1));
  expect(pairOf(new Agency([]), role('Writer'), long).name).toBe('x'.repeat(TEAM_LIMITS.agencyNameCharacters - 1));
  expect(pairOf(new Agency([]), role('Writer'), tradeoff('Careful')).name).toBe('Careful Writer');
});
