import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { yamlText } from '#adapters/disk/strict-yaml.js';
import { FormationFolder } from '#adapters/roles/formation-folder.js';
import { runFolder } from '#core/playbooks/formation.js';
import type { FormationRecord } from '#core/playbooks/record.js';
import { sha256 } from '#kernel/hash.js';
import { deliveredOf } from '#operations/formations/delivered.js';
import type { Context } from '#operations/operation.js';
import { bothPorts } from '../../both-ports.js';
import { graphOf } from '../../core/graph/graph.js';
import { RUN, recordOf } from '../../core/playbooks/records.js';
import { CHANGES, CONTRACT, QA } from '../../core/playbooks/run-files.js';
import { room } from '../../room.js';

/** What a run handed over whose folder holds these files; the work is done in the project itself. */
async function delivered(
  record: Partial<FormationRecord>,
  files: Readonly<Record<string, string>>,
  tasks: Parameters<typeof graphOf> = [],
) {
  const project = room('delivered');
  const whole = recordOf(record);
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(project, runFolder(whole.formation, RUN), name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  const view = graphOf(...tasks);
  const context = {
    formationFiles: async () => new FormationFolder(project),
    graph: async () => ({ view: async () => view }),
    ...bothPorts(async () => ({ workplace: async () => ({ place: 'project' }) })),
  } as unknown as Context;
  return await deliveredOf(context, view, whole);
}

const NOTHING = {
  ...{ stages: [], criteria: [], changed: [], stuck: [], release: null, notes: [], agreement: null, steelman: null },
  ...{ decision: null, slices: [], sampled: 0, checks: [] },
};

test('of a run without files nothing was handed over', async () => {
  expect(await delivered({}, {})).toEqual(NOTHING);
  expect(await delivered({ formation: 'panel', seats: [{ name: 'qa' }] }, {})).toEqual({
    ...NOTHING,
    notes: [{ round: 1, seat: 'qa', verdict: null, option: null, points: [], problem: 'there is no note yet' }],
  });
});

test('of a crew: criteria with their evidence, files that changed since, who is stuck, and the release', async () => {
  const seats = ['architect', 'dev', 'qa'].map((name) => ({ name }));
  const report = { tried: 'Two\u001b ways.', why: 'No Bash.', needs: 'Bash.', escalation: 'owner', context: [] };
  const whole = await delivered(
    {
      seats,
      handoffs: { 'CONTRACT.md': sha256(CONTRACT), 'CHANGES.md': sha256('before'), 'PLAN.md': sha256('gone') },
      stumbles: {
        dev: { rungs: [], passed: [], report: { ...report, diagnosis: 'capability' } },
        qa: { rungs: [], passed: [], report },
        architect: { rungs: [], passed: [] },
      },
      staged: 'npm publish\n',
    },
    { 'CONTRACT.md': CONTRACT, 'CHANGES.md': CHANGES, 'QA.md': QA },
  );
  const stuck = { tried: 'Two\\u{1b} ways.', why: 'No Bash.', needs: 'Bash.', escalation: 'owner' };
  expect(whole).toEqual({
    ...NOTHING,
    criteria: [
      { number: 1, text: 'rows leave as CSV', verdict: 'PASS', evidence: 'npm test, 12 passed' },
      { number: 2, text: 'the head names the columns — in order', verdict: 'PASS', evidence: 'seen in out.csv' },
    ],
    changed: [
      { phase: 'architect', file: 'PLAN.md', gone: true },
      { phase: 'dev', file: 'CHANGES.md', gone: false },
    ],
    stuck: [
      { phase: 'dev', diagnosis: 'capability', ...stuck },
      { phase: 'qa', diagnosis: null, ...stuck },
    ],
    release: { commands: 'npm publish\n', sha256: sha256('npm publish\n') },
  });
});

const DECISION = [
  ...['## Decision', 'Drop\u001b it.', '## Why', 'It blocks.', '## Minority view', 'None.'],
  ...['## Unresolved tensions', 'None.', '## Moves', '- Bound it ← qa', 'Steelman: ran, argued idle — adopted'],
].join('\n');

test('of a panel: a note of each seat and round or why there is none, what all agree on, and the decision', async () => {
  const note = '### Qa — SIGN-OFF\nOption: drop it\n- [high] it blocks → bound it\n';
  const panel: Partial<FormationRecord> = {
    ...{ formation: 'panel', seats: [{ name: 'qa' }, { name: 'ops' }], options: { rounds: '2' } },
    kept: { unanimity: 'all sign off' },
    handoffs: { 'round-2/qa.md': sha256('as it was') },
  };
  const files = {
    ...{ 'round-1/qa.md': note, 'round-1/ops.md': 'no heading', 'round-2/qa.md': note, 'round-3/qa.md': note },
    ...{ 'steelman.md': 'It\u001b would\nbe idle.', 'decision.md': DECISION },
  };
  const none = { verdict: null, option: null, points: [] };
  const points = [{ weight: 'high', note: 'it blocks', move: 'bound it' }];
  const decided = await delivered(panel, files);
  expect(decided).toEqual({
    ...NOTHING,
    notes: [
      { round: 1, seat: 'qa', verdict: 'SIGN-OFF', option: 'drop it', points, problem: null },
      { round: 1, seat: 'ops', ...none, problem: expect.stringMatching(/./) },
      { round: 2, seat: 'qa', ...none, problem: 'it was changed after it was handed in' },
      { round: 2, seat: 'ops', ...none, problem: 'there is no note yet' },
    ],
    agreement: 'all sign off',
    steelman: 'It\\u{1b} would\nbe idle.',
    decision: {
      sections: [
        { title: 'Decision', text: 'Drop\\u{1b} it.' },
        { title: 'Why', text: 'It blocks.' },
        { title: 'Minority view', text: 'None.' },
        { title: 'Unresolved tensions', text: 'None.' },
      ],
      moves: [{ move: 'Bound it', seats: ['qa'] }],
      steelman: 'ran, argued idle — adopted',
    },
  });
  const bare = await delivered({ ...panel, kept: { unanimity: 'none' } }, { 'decision.md': '## Decision\nKeep it.\n' });
  expect([bare.agreement, bare.steelman, bare.decision]).toEqual([
    ...[null, null],
    { sections: [{ title: 'Decision', text: 'Keep it.' }], moves: [], steelman: null },
  ]);
});

test('of a sweep: what came of each slice, and what the verifier says of the entries that were checked', async () => {
  const entry = (id: string, source = `https://${id}.example`) => ({ id, title: `About ${id}`, source, claim: 'c' });
  const scout = (...entries: object[]) => yamlText({ entries });
  const verdicts = (...rows: [string, string][]) =>
    yamlText({ verdicts: rows.map(([id, verdict]) => ({ id, verdict, why: `looked at ${id}` })) });
  const sweep: Partial<FormationRecord> = {
    ...{ formation: 'sweep', seats: ['one', 'two', 'three', 'four'].map((name) => ({ name })) },
    kept: {
      merge: JSON.stringify({
        gaps: [{ slice: 'two', kind: 'thin', cause: 'nobody writes of it' }],
        ...{ duplicates: { one: 2 }, sample: ['a', 'b'], inFull: { one: ['c'], three: ['x'] } },
      }),
    },
  };
  const files = {
    'scouts/one.yaml': scout(entry('a'), entry('b'), entry('c'), { id: 'bad' }),
    'scouts/three.yaml': scout({ id: 'worse' }),
    'verify/sample.yaml': verdicts(['a', 'HOLDS'], ['b', 'REFUTED']),
    'verify/one.yaml': verdicts(['c', 'HOLDS']),
    'verify/three.yaml': 'no verdicts',
  };
  const slice = (name: string, entries: number | null, more: object = {}) => ({
    ...{ name, owns: [name], entries, rejected: 0, duplicates: 0, gap: null },
    ...more,
  });
  const check = (id: string, verdict: string) => ({
    ...{ id, slice: 'one', title: `About ${id}`, source: `https://${id}.example`, why: `looked at ${id}`, verdict },
  });
  const whole = {
    ...NOTHING,
    slices: [
      slice('one', 3, { rejected: 1, duplicates: 2 }),
      slice('two', 0, { gap: 'thin: nobody writes of it' }),
      slice('three', 0, { rejected: 1 }),
      slice('four', null),
    ],
    sampled: 2,
    checks: [check('a', 'HOLDS'), check('b', 'REFUTED'), check('c', 'HOLDS')],
  };
  expect(await delivered(sweep, files)).toEqual(whole);
  // A slice that was looked at twice has what both looks found; a verdict of an entry that is gone says only which.
  const second = {
    'again/two.yaml': scout(entry('d')),
    'verify/sample.yaml': verdicts(['a', 'HOLDS'], ['b', 'HOLDS']),
  };
  const again = await delivered(
    { ...sweep, kept: { merge: JSON.stringify({ sample: ['a', 'b'] }) } },
    { ...files, ...second, 'scouts/one.yaml': scout(entry('a')) },
    [{ id: `${RUN}-again-two` }],
  );
  expect([again.slices.map(({ entries }) => entries), again.checks]).toEqual([
    [1, 1, 0, null],
    [check('a', 'HOLDS'), { ...check('b', 'HOLDS'), slice: '', title: '', source: '' }],
  ]);
});
