import path from 'node:path';
import { expect, test } from 'vitest';
import { nextRung, nextTier, rungFor, type StumbleFacts } from '#core/playbooks/ladder.js';
import type { StumbleReport } from '#core/playbooks/record.js';
import { crewTalent, type Talent } from '#core/playbooks/talent.js';
import { type LaneRow, NO_ROLES } from '#core/roles/lane.js';

const REPORT: StumbleReport = {
  ...{ tried: 'Wrote it twice.', why: 'Quoted fields break it.', needs: 'More thought.', escalation: 'None.' },
  ...{ diagnosis: undefined, context: [] },
};
const role = (name: string, changes: Partial<Talent> = {}): Talent => ({
  ...{ name, status: 'stable', owns: '', about: '', tier: undefined, tools: undefined, core: undefined },
  ...changes,
});
const DBA = role('dba', { owns: 'database schema migrations', tier: 'opus', tools: 'Read, Bash' });
const YOUNG = role('young', { status: 'probationary', owns: 'database schema migrations' });
const LATE = role('late', { status: 'retired', owns: 'database schema migrations' });
const WIDE = role('wide', { status: 'none', about: 'database schema migrations', core: 'wide' });
const DATABASE = { why: 'The database schema lacks a column.' };
const FILES = { context: ['docs/csv.md', 'src/a.ts'] };

type Change = Partial<Omit<StumbleFacts, 'report'>> & { readonly report?: Partial<StumbleReport> };
const SITUATIONS: Readonly<Record<string, Change>> = {
  'nothing known': {},
  'a tool it lacks': { seat: { name: 'dev', tier: 'sonnet', tools: 'Read' }, report: { needs: 'Bash, to run it' } },
  'a tool it lacks, and who has it': {
    ...{ seat: { name: 'dev', tools: 'Read' }, report: { ...DATABASE, needs: 'Bash' }, talent: [role('qa-two'), DBA] },
  },
  'a tool that is in the list of all': { seat: { name: 'dev', tools: 'all' }, report: { needs: 'Bash' } },
  'files that are there': { report: FILES },
  'files that are there, later': { report: FILES, rungs: ['re-tier'] },
  'files that it was given': { report: FILES, rungs: ['clarify'] },
  'more criteria passed': { passed: [1, 1, 2], report: FILES, rungs: ['clarify'] },
  'as many criteria passed': { passed: [1, 2, 2] },
  'one attempt alone': { passed: [3] },
  'somebody owns it': { report: DATABASE, talent: [LATE, WIDE, YOUNG, DBA] },
  'only a young one owns it': { report: DATABASE, talent: [LATE, YOUNG] },
  'only a retired one owns it': { report: DATABASE, talent: [LATE] },
  'only a core role is about it': { report: DATABASE, talent: [WIDE] },
  'its own words': { report: DATABASE, talent: [DBA], seat: { name: 'dev', owns: 'database schema' } },
  'whoever owns it sits already': { report: DATABASE, talent: [DBA], seated: new Set(['dev', 'dba']) },
  'it names an owner': { report: { escalation: 'The `wide` or the dba.' }, talent: [DBA, WIDE, YOUNG] },
  'it names two': { report: { ...DATABASE, escalation: 'young or dba' }, talent: [DBA, YOUNG] },
  'it names nobody there is': { report: { escalation: 'role: csv-expert-' } },
  'it names a seat': { report: { escalation: 'owner: qa' } },
  'it names a retired one': { report: { escalation: '`late`' }, talent: [LATE] },
  'the highest tier': { seat: { name: 'dev', tier: 'opus' }, report: { escalation: '`csv-expert`' } },
  'a tier that nobody knows': { seat: { name: 'dev', tier: 'my-model' } },
  'no tier': { seat: { name: 'dev' } },
  'no order of tiers': { tiers: [], report: { escalation: '`csv-expert`' } },
  'nobody plans again': { canReplan: false },
  'planned again before': { rungs: ['re-plan'] },
  'a higher tier before': { rungs: ['re-tier'], report: { escalation: '`csv-expert`' } },
  'another role before': { rungs: ['re-role'], report: { ...DATABASE, escalation: '`csv-expert`' }, talent: [DBA] },
};

test('the next rung in each situation, whatever the report says is the matter', async () => {
  const lines = Object.entries(SITUATIONS).flatMap(([title, { report, ...change }]) => [
    `# ${title}`,
    ...([undefined, 'capability', 'ownership', 'contract', 'context', 'decision'] as const).map((diagnosis) => {
      const facts: StumbleFacts = {
        ...{ phase: 'dev', seat: { name: 'dev', tier: 'sonnet' }, rungs: [], passed: [], talent: [] },
        ...{ seated: new Set(['architect', 'dev', 'qa']), tiers: ['haiku', 'sonnet', 'opus'], canReplan: true },
        ...change,
        report: { ...REPORT, ...report, diagnosis },
      };
      return `  ${diagnosis ?? 'nothing'}: ${JSON.stringify(nextRung(facts))}`;
    }),
  ]);
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(path.join(import.meta.dirname, 'golden/rungs.txt'));
});

test('tiers rise one by one, from one that is not known to the highest', () => {
  const tiers = ['haiku', 'sonnet', 'opus'];
  expect([undefined, 'haiku', 'sonnet', 'opus', 'other'].map((tier) => nextTier(tier, tiers))).toEqual([
    ...['opus', 'sonnet', 'opus', undefined, undefined],
  ]);
});

test('what a run knows of a seat: its row as it is now, but the tier that a rung gave', () => {
  const seats = [{ name: 'architect' }, { name: 'tess', phase: 'qa', tier: 'opus', tools: 'Read' }, { name: 'dev' }];
  const run = { seats, stumbles: { qa: { rungs: ['re-tier' as const], passed: [1, 1] } } };
  const talent = [role('tess', { tools: 'Read, Bash', owns: 'tests', tier: 'haiku' }), role('dev', { tier: 'haiku' })];
  const rung = (phase: string, report: Partial<StumbleReport> = {}, of: typeof run = run) =>
    rungFor(of, phase, { ...REPORT, ...report }, { talent, tiers: ['haiku', 'sonnet', 'opus'] });
  // Its row gives it the tool by now; the tier of the rung before stays, so that somebody else is next.
  expect(rung('qa', { needs: 'Bash' })).toEqual({
    rung: 'user',
    why: 'no more criteria passed than before: the approach is suspect; it has no owner, and no new role is suggested',
  });
  expect(rung('dev')).toEqual({
    rung: 're-tier',
    why: 'it gives no diagnosis: a stronger model first',
    tier: 'sonnet',
  });
  expect(rung('deployer')).toMatchObject({ rung: 're-tier', tier: 'opus' });
  expect(rung('dev', { diagnosis: 'contract' })).toEqual({
    rung: 're-plan',
    why: 'it says that the contract is wrong',
  });
  expect(rung('architect', { diagnosis: 'contract' })).toMatchObject({ rung: 're-tier' });
  const alone = { seats: [{ name: 'dev' }], stumbles: {} };
  expect(rung('dev', { diagnosis: 'contract' }, alone as never)).toMatchObject({ rung: 're-tier' });
  const elsewhere = { seats: [{ name: 'anna', phase: 'architect' }, { name: 'dev' }], stumbles: {} };
  expect(rung('dev', { diagnosis: 'contract' }, elsewhere as never)).toMatchObject({ rung: 're-plan' });
});

test('roles that a crew can call on: its rows, and core roles that none of them is', () => {
  const row = (name: string, fields: Record<string, string>, role?: string): LaneRow => ({
    ...{ lane: 'crew', name, line: 1, role, status: 'stable', lessons: [], runs: { clean: 0, thin: 0, cuts: 0 } },
    fields: new Map(Object.entries(fields)),
  });
  const core = (name: string) => ({
    name,
    charter: `Is ${name}.`,
    whenToUse: ['here', 'there'],
    body: '',
    core: [],
    solo: [],
  });
  const registry = {
    ...NO_ROLES,
    cores: new Map(['optimizer', 'skeptic', 'dev'].map((name) => [name, core(name)])),
    rows: {
      ...NO_ROLES.rows,
      crew: [row('zoe', { owns: 'all', model: 'opus', tools: 'Read' }, 'skeptic'), row('dev', { model: '' }, 'gone')],
    },
  };
  const none = { tier: undefined, tools: undefined };
  expect(crewTalent(registry)).toEqual([
    { name: 'dev', status: 'stable', owns: '', about: '', core: undefined, ...none },
    { name: 'optimizer', status: 'none', owns: '', about: 'Is optimizer. here there', core: 'optimizer', ...none },
    {
      name: 'zoe',
      status: 'stable',
      owns: 'all',
      about: 'Is skeptic. here there',
      core: 'skeptic',
      tier: 'opus',
      tools: 'Read',
    },
  ]);
});
