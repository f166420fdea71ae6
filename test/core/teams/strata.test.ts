import { describe, expect, test } from 'vitest';
import {
  planningDependency,
  planningTaskId,
  replanStrata,
  type Strata,
  startStrata,
  strataAfterAttempt,
  strataInForce,
} from '#core/teams/strata.js';
import {
  assignedWork,
  type StrataPlan,
  storedPlan,
  strataBlock,
  strataHash,
  strataIn,
} from '#core/teams/strata-plan.js';
import { TALK_LIMITS } from '#kernel/limits/talk.js';
import { verifies } from '../../verifies.js';
import { CREW, TEAM_ID } from './crew.js';

const PLAN: StrataPlan = {
  objective: 'The airlock holds',
  approach: 'Mend the seal, then try it in vacuum',
  phases: ['mend', 'try'],
  assignments: [
    { member: 'hicks', work: 'the seal' },
    { member: 'vasquez', work: 'the test' },
  ],
  guardrails: ['No pressure above 2 bar'],
  success_criteria: ['An hour without loss'],
};
const answer = (more: object = {}) => `Here it is:\n${JSON.stringify({ ...PLAN, ...more })}`;
const coded = (code: string) => expect.objectContaining({ code });
const minted = (text: string) => {
  const outcome = strataIn(text, CREW);
  return outcome?.state === 'minted' ? outcome : expect.unreachable(JSON.stringify(outcome));
};

describe('the plan of a team', () => {
  verifies('strata.shape', 'an answer has a closed form: more, less or other words than asked for are no plan', () => {
    expect(minted(answer())).toEqual({ state: 'minted', plan: PLAN, warnings: [] });
    const { guardrails: _, ...without } = PLAN;
    for (const other of [
      JSON.stringify(without),
      answer({ exec: 'rm -rf /' }),
      answer({ phases: 'mend' }),
      answer({ objective: ' ' }),
      answer({ guardrails: [] }),
      answer({ guardrails: ['a', 'b', 'c', 'd'] }),
      answer({ phases: Array(TALK_LIMITS.strataPhases + 1).fill('x') }),
      answer({ assignments: [{ member: 'hicks', work: 'x', tools: ['shell'] }] }),
      'No.',
    ])
      expect(strataIn(other, CREW), other.slice(0, 60)).toBeUndefined();
  });

  verifies('strata.shape', 'whoever is not on the team, or only watches, gets no part, and a warning says so', () => {
    const assignments = [
      { member: ' HICKS ', work: 'the seal' },
      { member: 'Gorman\u202e', work: 'orders' },
      { member: 'newt', work: 'watch' },
    ];
    const { plan, warnings } = minted(answer({ assignments }));
    expect(plan.assignments).toEqual([{ member: 'hicks', work: 'the seal' }]);
    expect(warnings).toHaveLength(2);
    expect(warnings[0]).toContain('Gorman\\u{202e} does not work on this team');
  });

  verifies('strata.self-gate', 'without phases and guardrails the work is too small, and nothing is told', () => {
    expect(strataIn(answer({ phases: [], guardrails: [' '] }), CREW)).toEqual({ state: 'skipped' });
    const rows = [begun()];
    const row = strataAfterAttempt(rows, { version: 1, tries: 1 }, { state: 'skipped' }, 3);
    expect(row).toMatchObject({ state: 'skipped', plan: null, sha256: null });
    expect(strataInForce([row])?.plan).toBeNull();
    expect(startStrata([row], CREW, 9)).toBeUndefined();
  });

  verifies('strata.inject', 'what members are told depends on the plan alone, and its hash is of that text', () => {
    const block = strataBlock(PLAN);
    expect(block).toBe(
      [
        'Objective:\nThe airlock holds',
        'Approach:\nMend the seal, then try it in vacuum',
        'Phases:\n1. mend\n2. try',
        'Who does what:\n- hicks: the seal\n- vasquez: the test',
        'Guardrails:\n- No pressure above 2 bar',
        'It has succeeded when:\n- An hour without loss',
      ].join('\n\n'),
    );
    const again = storedPlan(JSON.parse(JSON.stringify(PLAN))) ?? expect.unreachable();
    expect([strataBlock(again), strataHash(again)]).toEqual([block, strataHash(PLAN)]);
    expect(strataHash({ ...PLAN, approach: 'Another' })).not.toBe(strataHash(PLAN));
    expect([assignedWork(PLAN, 'hicks'), assignedWork(PLAN, 'ripley')]).toEqual([['the seal'], []]);
    expect(storedPlan({ ...PLAN, more: 1 })).toBeUndefined();
  });

  test('lines of a plan are lines: cut, visible and without secrets', () => {
    const key = `sk-ant-api03-${'a'.repeat(90)}`;
    const { plan } = minted(
      answer({ approach: `a\n# b\u200b ${key}`, guardrails: ['x'.repeat(2 * TALK_LIMITS.strataGuardrailCharacters)] }),
    );
    expect(plan.approach).not.toContain('\n');
    expect(plan.approach).toContain('\\u{200b}');
    expect(plan.approach).not.toContain(key);
    expect([...(plan.guardrails[0] ?? '')]).toHaveLength(TALK_LIMITS.strataGuardrailCharacters);
  });
});

const begun = (): Strata => startStrata([], CREW, 5) ?? expect.unreachable();

describe('one plan a team', () => {
  verifies('strata.once', 'of those who write first one begins the plan; what was made stays', () => {
    const row = begun();
    expect(row).toMatchObject({ teamId: TEAM_ID, version: 1, state: 'planning', tries: 1 });
    expect(startStrata([row], CREW, 6)).toBeUndefined();
    const outcome = { state: 'minted' as const, plan: PLAN, warnings: [] };
    const made = strataAfterAttempt([row], { version: 1, tries: 1 }, outcome, 2);
    expect(made).toMatchObject({ state: 'minted', plan: PLAN, sha256: strataHash(PLAN), claimFence: 2 });
    expect(startStrata([made], CREW, 7)).toBeUndefined();
    expect(() => strataAfterAttempt([made], { version: 1, tries: 1 }, outcome, 2)).toThrow(coded('stale_attempt'));
  });

  verifies('strata.once', 'a plan that failed is tried again with later messages, three times in all', () => {
    let row: Strata | undefined = begun();
    for (let tries = 1; tries <= TALK_LIMITS.strataTries; tries++) {
      expect(row).toMatchObject({ state: 'planning', version: 1, tries });
      const late = { version: 1, tries: tries - 1 };
      const current: Strata = row ?? expect.unreachable();
      expect(() => strataAfterAttempt([current], late, { state: 'failed' }, 1)).toThrow(coded('stale_attempt'));
      const failed = strataAfterAttempt([current], { version: 1, tries }, { state: 'failed' }, 1);
      expect(strataInForce([failed])).toBeUndefined();
      row = startStrata([failed], CREW, 9);
    }
    expect(row).toBeUndefined();
  });

  verifies('strata.once', 'a person asks for another version; the one in force holds until it is there', () => {
    const outcome = { state: 'minted' as const, plan: PLAN, warnings: [] };
    const made = strataAfterAttempt([begun()], { version: 1, tries: 1 }, outcome, 2);
    const next = replanStrata([made], CREW, 8);
    expect(next).toMatchObject({ version: 2, tries: 1, state: 'planning' });
    expect(strataInForce([made, next])).toBe(made);
    expect(() => replanStrata([made, next], CREW, 9)).toThrow(coded('wrong_status'));
    expect(planningTaskId(TEAM_ID, next)).toBe('.strata-0a1b2c3d0000-2-1');
  });

  test('work waits for the first plan alone, and only while that is made', () => {
    const row = (state: Strata['state'], version = 1): Strata => ({ ...begun(), state, version });
    const first = (...rows: Strata[]) => planningDependency(TEAM_ID, rows);
    expect([
      first(),
      first(row('planning')),
      first(row('failed')),
      first(row('failed'), row('planning', 2)),
      first(row('minted')),
      first(row('minted'), row('planning', 2)),
      first(row('skipped'), row('planning', 2)),
    ]).toEqual([
      ...[undefined, '.strata-0a1b2c3d0000-1-1', undefined, '.strata-0a1b2c3d0000-2-1'],
      ...[undefined, undefined, undefined],
    ]);
  });
});
