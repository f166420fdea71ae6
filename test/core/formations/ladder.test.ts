import { expect, test } from 'vitest';
import { escalationLine, nextRung, proposalsOf, type StumbleFacts } from '#core/formations/ladder.js';
import type { StumbleReport } from '#core/formations/record.js';
import { verifies } from '../../verifies.js';

const REPORT: StumbleReport = {
  tried: 'I wrote the parser twice.',
  why: 'Quoted fields break it.',
  needs: 'More thought.',
  escalation: 'None.',
  diagnosis: undefined,
  context: [],
};

function facts(changes: Partial<StumbleFacts> = {}): StumbleFacts {
  return {
    phase: 'dev',
    seat: { name: 'dev', tier: 'sonnet' },
    report: REPORT,
    rungs: [],
    passed: [],
    others: [{ name: 'architect' }, { name: 'qa', owns: 'defects and contract violations' }],
    tiers: ['haiku', 'sonnet', 'opus'],
    overBudget: false,
    canReplan: true,
    ...changes,
  };
}

const saying = (changes: Partial<StumbleReport>) => ({ report: { ...REPORT, ...changes } });

verifies('crew.ladder.facts-first', 'what the code sees beats what the report says of itself', () => {
  // A denied tool beats every diagnosis but a decision.
  const denied = {
    seat: { name: 'dev', tier: 'sonnet', tools: 'Read, Edit' },
    ...saying({ needs: 'Bash, to run the tests', diagnosis: 'capability' }),
  };
  expect(nextRung(facts(denied))).toMatchObject({ rung: 're-role', owner: 'dev-bash', minted: true });
  const shell = { name: 'shell-runner', tools: 'Bash', owns: 'running tests and bash scripts' };
  expect(
    nextRung(
      facts({
        ...denied,
        others: [shell],
        ...saying({ needs: 'Bash, for running the tests', diagnosis: 'capability' }),
      }),
    ),
  ).toMatchObject({
    rung: 're-role',
    owner: 'shell-runner',
    minted: false,
  });
  // More criteria than before: the approach is sound, whatever is said of ownership.
  expect(nextRung(facts({ passed: [1, 3], ...saying({ diagnosis: 'ownership' }) }))).toMatchObject({
    rung: 're-tier',
    tier: 'opus',
  });
  // Not more: suspect, whatever is said of capability.
  const owner = { name: 'dba', owns: 'database schema migrations' };
  const stuck = saying({ why: 'The database schema has no such column.', diagnosis: 'capability' });
  expect(nextRung(facts({ passed: [2, 2], others: [owner], ...stuck }))).toMatchObject({
    rung: 're-role',
    owner: 'dba',
  });
  // Somebody else owns it, which is seen without any attempt.
  expect(nextRung(facts({ others: [owner], ...stuck }))).toMatchObject({
    rung: 're-role',
    owner: 'dba',
    minted: false,
  });
  // The budget is a fact too.
  expect(nextRung(facts({ overBudget: true, passed: [1, 3] }))).toMatchObject({ rung: 'user' });
  // Unclear: re-tier first.
  expect(nextRung(facts())).toMatchObject({ rung: 're-tier', tier: 'opus' });
  // Nothing contradicts the contract being wrong.
  expect(nextRung(facts(saying({ diagnosis: 'contract' })))).toMatchObject({ rung: 're-plan' });
});

verifies('crew.ladder.skip', 'a decision goes to a person at once; a rung that is not there is passed over', () => {
  expect(
    nextRung(facts({ passed: [1, 3], ...saying({ context: ['docs/csv.md'], diagnosis: 'decision' }) })),
  ).toMatchObject({ rung: 'user' });
  const named = saying({ escalation: 'Give it to the role `csv-expert`.' });
  // The highest tier already: somebody else.
  expect(nextRung(facts({ seat: { name: 'dev', tier: 'opus' }, ...named }))).toMatchObject({
    rung: 're-role',
    owner: 'csv-expert',
    minted: true,
  });
  // A model that no ladder of tiers knows.
  expect(nextRung(facts({ seat: { name: 'dev', tier: 'my-model' }, ...named }))).toMatchObject({ rung: 're-role' });
  // No owner and nothing to mint.
  expect(nextRung(facts({ seat: { name: 'dev', tier: 'opus' } }))).toMatchObject({ rung: 'user' });
  expect(nextRung(facts(saying({ diagnosis: 'ownership' })))).toMatchObject({ rung: 'user' });
  // Nobody to plan again: the rest of the ladder.
  expect(nextRung(facts({ canReplan: false, ...saying({ diagnosis: 'contract' }) }))).toMatchObject({
    rung: 're-tier',
  });
});

verifies('crew.ladder.once', 'each rung comes once a stumble, and the ladder ends with a person', () => {
  const report = saying({
    context: ['docs/csv.md'],
    needs: 'docs/csv.md',
    diagnosis: 'contract',
    escalation: 'The role `csv-expert` could.',
  });
  const rungs: StumbleFacts['rungs'][number][] = [];
  for (let climbs = 0; climbs < 6; climbs++) {
    const { rung } = nextRung(facts({ ...report, rungs }));
    rungs.push(rung);
    if (rung === 'user') break;
  }
  expect(rungs).toEqual(['clarify', 're-plan', 're-tier', 're-role', 'user']);
  expect(new Set(rungs).size).toBe(rungs.length);
});

test('the context it asks for is handed over at the first stop only', () => {
  const asks = saying({ context: ['docs/csv.md'] });
  expect(nextRung(facts(asks))).toEqual({
    rung: 'clarify',
    why: 'it asks for what is there: docs/csv.md',
    context: ['docs/csv.md'],
  });
  expect(nextRung(facts({ ...asks, rungs: ['re-tier'] }))).toMatchObject({ rung: 'user' });
});

verifies(
  'crew.ladder.log',
  'three re-tiers of a role propose a tier for good, three hops to one missing owner a role',
  () => {
    const up = escalationLine('dev', 'dev', { rung: 're-tier', why: 'x', tier: 'opus' });
    const hop = escalationLine('dev', 'dev', { rung: 're-role', why: 'x', owner: 'dba', minted: true });
    const known = escalationLine('dev', 'dev', { rung: 're-role', why: 'x', owner: 'qa', minted: false });
    expect(up).toBe('escalation: re-tier dev in dev → opus: x');
    expect(hop).toBe('escalation: re-role dev in dev → dba (new): x');
    expect(proposalsOf([up, up, hop, hop, known, known, known])).toEqual([]);
    expect(proposalsOf([up, up, up, hop, hop, hop])).toEqual([
      { key: 'model-fit', text: 'dev was given a higher tier 3 times: give its row a stronger model' },
      { key: 'missing-role', text: 'dba was missing 3 times: make it a row of the crew' },
    ]);
  },
);
