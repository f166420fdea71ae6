import { expect, test } from 'vitest';
import { escalationLine, nextRung, proposalsOf, type StumbleFacts } from '#core/playbooks/ladder.js';
import type { StumbleReport } from '#core/playbooks/record.js';
import type { Talent } from '#core/playbooks/talent.js';
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
    talent: [],
    seated: new Set(['architect', 'dev', 'qa']),
    tiers: ['haiku', 'sonnet', 'opus'],
    canReplan: true,
    ...changes,
  };
}

const role = (name: string, changes: Partial<Talent> = {}): Talent => ({
  ...{ name, status: 'stable', owns: '', about: '', tier: undefined, tools: undefined, core: undefined },
  ...changes,
});

const saying = (changes: Partial<StumbleReport>) => ({ report: { ...REPORT, ...changes } });

verifies('crew.ladder.facts-first', 'what the code sees beats what the report says of itself', () => {
  // A denied tool beats every diagnosis but a decision.
  const denied = {
    seat: { name: 'dev', tier: 'sonnet', tools: 'Read, Edit' },
    ...saying({ needs: 'Bash, to run the tests', diagnosis: 'capability' }),
  };
  expect(nextRung(facts(denied))).toMatchObject({ rung: 're-role', owner: 'dev-bash', standing: 'new' });
  const shell = role('shell-runner', { tools: 'Bash', owns: 'running tests and bash scripts' });
  expect(
    nextRung(
      facts({
        ...denied,
        talent: [shell],
        ...saying({ needs: 'Bash, for running the tests', diagnosis: 'capability' }),
      }),
    ),
  ).toMatchObject({
    rung: 're-role',
    owner: 'shell-runner',
    standing: 'known',
  });
  // More criteria than before: the approach is sound, whatever is said of ownership.
  expect(nextRung(facts({ passed: [1, 3], ...saying({ diagnosis: 'ownership' }) }))).toMatchObject({
    rung: 're-tier',
    tier: 'opus',
  });
  // Not more: suspect, whatever is said of capability.
  const owner = role('dba', { owns: 'database schema migrations' });
  const stuck = saying({ why: 'The database schema has no such column.', diagnosis: 'capability' });
  expect(nextRung(facts({ passed: [2, 2], talent: [owner], ...stuck }))).toMatchObject({
    rung: 're-role',
    owner: 'dba',
  });
  // Somebody else owns it, which is seen without any attempt.
  expect(nextRung(facts({ talent: [owner], ...stuck }))).toMatchObject({
    rung: 're-role',
    owner: 'dba',
    standing: 'known',
  });
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
    standing: 'new',
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
  const report = (diagnosis: StumbleReport['diagnosis']) =>
    saying({ context: ['docs/csv.md'], needs: 'docs/csv.md', diagnosis, escalation: 'The role `csv-expert` could.' });
  const rungs: StumbleFacts['rungs'][number][] = [];
  for (let climbs = 0; climbs < 6; climbs++) {
    const { rung } = nextRung(facts({ ...report(climbs === 0 ? undefined : 'contract'), rungs }));
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
    const hopTo = (owner: string, standing: 'new' | 'probationary' | 'known') =>
      escalationLine('dev', 'dev', { rung: 're-role', why: 'x', owner, standing, seat: { name: owner } });
    const [hop, again, known] = [hopTo('dba', 'new'), hopTo('dba', 'probationary'), hopTo('debugger', 'known')];
    expect(up).toBe('escalation: re-tier dev in dev → opus: x');
    expect(hop).toBe('escalation: re-role dev in dev → dba (new): x');
    expect(again).toBe('escalation: re-role dev in dev → dba (on probation): x');
    expect(proposalsOf([up, up, hop, again, known, known, known])).toEqual([]);
    // The first hop gave it a row: that it has one now does not mean that a line-up has it.
    expect(proposalsOf([up, up, up, hop, again, again])).toEqual([
      { key: 'model-fit', text: 'dev was given a higher tier 3 times: give its row a stronger model' },
      { key: 'missing-role', text: 'dba was missing 3 times: give it a seat in the line-up' },
    ]);
  },
);

verifies('gate.ladder', 'the diagnosis of the report is read where no fact speaks against it', () => {
  const after = (changes: Partial<StumbleReport>, more: Partial<StumbleFacts> = {}) =>
    nextRung(facts({ ...saying(changes), ...more }));
  expect(after({ diagnosis: 'capability' })).toEqual({
    ...{ rung: 're-tier', tier: 'opus', why: 'it says that the work exceeds its model' },
  });
  // It names files, and says that they are not what is missing.
  const named = { needs: 'src/a.ts', context: ['src/a.ts'] };
  expect(after({ ...named, diagnosis: 'capability' })).toMatchObject({ rung: 're-tier' });
  expect(after({ ...named, diagnosis: 'contract' })).toMatchObject({ rung: 're-plan' });
  expect(after({ ...named, diagnosis: 'context' })).toMatchObject({ rung: 'clarify', context: ['src/a.ts'] });
  expect(after({ ...named, diagnosis: 'context' }, { rungs: ['re-tier'] })).toMatchObject({ rung: 'clarify' });
  expect(after({ ...named, diagnosis: 'context' }, { rungs: ['clarify'] })).toMatchObject({ rung: 're-tier' });
  // A stronger model does not know either.
  expect(after({ diagnosis: 'context' })).toEqual({
    ...{ rung: 'user', why: 'it asks for context that is not in the project' },
  });
  // Of other clients no order of models is known.
  expect(after({ diagnosis: 'capability' }, { tiers: [] })).toMatchObject({
    ...{ rung: 'user', why: expect.stringContaining('the models of this client have no known order') },
  });
});

verifies('gate.ladder', 'the owner is looked for among all roles of the repository, and else made', () => {
  const talent = [
    role('debugger', {
      ...{ owns: 'root-cause analysis of failing tests and crashes', tier: 'opus', core: 'debugger' },
    }),
    role('retiree', { status: 'retired', owns: 'quoted fields and failing parsers' }),
    role('qa', { owns: 'failing tests' }),
    role('optimizer', {
      status: 'none',
      about: 'Measures where time goes, and makes slow queries fast.',
      core: 'optimizer',
    }),
  ];
  const owner = (changes: Partial<StumbleReport>, seat = facts().seat) => {
    const climb = nextRung(facts({ ...saying({ diagnosis: 'ownership', ...changes }), talent, seat }));
    return climb.rung === 're-role' ? climb.seat : climb.rung;
  };
  // By what it owns, on its own model.
  const debuggers = { name: 'debugger', core: 'debugger', tier: 'opus', owns: expect.any(String) };
  expect(owner({ why: 'Two tests keep failing and the root cause is unknown.' })).toEqual(debuggers);
  // By its name, quoted or not.
  for (const escalation of ['debugger', 'Re-role to the debugger.', 'The `debugger` should look.', 'role: debugger'])
    expect(owner({ escalation }), escalation).toEqual(debuggers);
  // A core role without a row gets one, on probation, with the model of whom it relieves.
  expect(owner({ why: 'Queries are too slow, and I cannot measure them.' })).toEqual({
    ...{ name: 'optimizer', core: 'optimizer', tier: 'sonnet', minted: true },
  });
  // Nobody: it is made, with all that a seat has.
  for (const escalation of ['`csv-expert`', 'Re-role to csv-expert, who knows quoting.', 'The role called csv-expert'])
    expect(owner({ escalation }, { name: 'dev', tier: 'sonnet', tools: 'Read, Edit' }), escalation).toEqual({
      ...{ name: 'csv-expert', tier: 'sonnet', minted: true },
      ...{ charter: 'what belongs to the csv expert and not to the dev' },
      ...{ owns: 'what belongs to the csv expert and not to the dev' },
    });
  // Neither who was retired nor who judges the work takes it over, and no word of a sentence becomes a role.
  for (const escalation of [
    '`retiree`',
    '`qa`',
    'Somebody else should do it.',
    'None.',
    'Give it to the database team',
  ])
    expect(owner({ escalation }), escalation).toBe('user');
});
