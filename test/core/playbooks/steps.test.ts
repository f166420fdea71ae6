import path from 'node:path';
import { expect, test } from 'vitest';
import { mergeScouts } from '#core/playbooks/merge-entries.js';
import { compilePanel, namedPanel } from '#core/playbooks/panel.js';
import { readDecision } from '#core/playbooks/panel-decision.js';
import {
  adoptedMoves,
  lastNotes,
  panelLogEntry,
  panelState,
  settleVotes,
  votesText,
} from '#core/playbooks/panel-steps.js';
import { stepId } from '#core/playbooks/record.js';
import { readScout } from '#core/playbooks/scout-entries.js';
import { partitionOf, readPartition, USUAL_SCHEMA } from '#core/playbooks/sweep-schema.js';
import {
  mergeFacts,
  nextFindings,
  partitionIn,
  partitionText,
  sampleIn,
  settleMerge,
  settleVerification,
  sweepLogEntry,
} from '#core/playbooks/sweep-steps.js';
import { sweepReport } from '#core/playbooks/synthesis.js';
import { countVotes } from '#core/playbooks/unanimity.js';
import { NO_ROLES } from '#core/roles/lane.js';
import { SWEEP_LIMITS } from '#kernel/limits/sweep.js';
import { codeOf, graphOf, NOW, type TaskFields } from '../graph/graph.js';
import { HOLDER, page, RUN, recordOf, told } from './records.js';

const GOLDEN = path.join(import.meta.dirname, 'golden');
const CALL = { now: NOW, by: HOLDER };
const OWN = { id: HOLDER.taskId, status: 'in-progress', assigned: HOLDER.name, fence: 1 } as const;
const step = (name: string) => stepId(RUN, name);

test('the steps of a panel that code takes', async () => {
  const notes = {
    operator:
      '### Operator — CHANGES REQUESTED\nOption: keep\n- [high] it blocks -> bound it\n- [low] odd\nLesson: ask who pays',
    maintainer: '### Maintainer — IDEAS\nOption: Keep.\n- [med] it blocks everything -> bound it now',
    author: undefined,
  };
  const agreed = countVotes(new Map(Object.entries(notes)));
  const split = countVotes(new Map(Object.entries({ ...notes, author: '### Author — IDEAS\nOption: drop' })));
  const off = countVotes(new Map([['a', '### A — SIGN-OFF']]));
  const seats = namedPanel(NO_ROLES, [{ name: 'operator' }, { name: 'maintainer' }, { name: 'author' }]);
  const compiled = (style: 'swarm' | 'relay') =>
    compilePanel('Drop the queue', seats, { run: RUN, style, rounds: 1, tiers: [] }).tasks.map((task) => ({
      ...task,
      after: [...(task.after ?? []), ...(task.after_success ?? [])],
      paused: false,
    }));
  const names = (style: 'swarm' | 'relay') => compiled(style).map(({ id }) => id);
  const record = recordOf({
    ...{ formation: 'panel', seats: seats.map(({ name }) => ({ name })), tasks: names('swarm'), kept: { input: 'x' } },
    ...{ options: { rounds: '2', style: 'relay' }, defaults: ['operator', 'economist'], notes: ['steering: quick'] },
  });
  const view = (style: 'swarm' | 'relay') => graphOf(OWN, ...(compiled(style) as (TaskFields & { id: string })[]));
  const lines = [
    '# all agree',
    ...told(settleVotes(view('swarm'), record, { votes: agreed, tier: 'opus' }, CALL)),
    '# all sign off, in a relay',
    ...told(settleVotes(view('relay'), { ...record, tasks: names('relay') }, { votes: off, tier: undefined }, CALL)),
    '# they do not',
    ...told(settleVotes(view('swarm'), record, { votes: split, tier: 'opus' }, CALL)),
    '# taken again',
    ...told(
      settleVotes(view('swarm'), { ...record, tasks: [step('steelman')] }, { votes: agreed, tier: 'opus' }, CALL),
    ),
    ...[agreed, split, off].flatMap((votes) => ['# votes', votesText(votes)]),
  ];
  const decision = readDecision(
    '## Moves\n- Bound it ← operator, author\n- Wait <- operator\n- \u200b ← author\n-  <- author',
    ['operator', 'author'],
  );
  const kept = { ...record, kept: { unanimity: 'all sign off', missing: 'author, skeptic' } };
  const log = { date: '2026-03-21', decision, notes: agreed.notes, steelman: 'n/a' };
  lines.push(
    '# logs',
    panelLogEntry(kept, log),
    panelLogEntry({ ...record, options: {}, kept: {}, defaults: [], notes: [] }, { ...log, notes: new Map() }),
  );
  lines.push(
    JSON.stringify([...adoptedMoves(record, decision)]),
    JSON.stringify([...lastNotes(record)]),
    JSON.stringify([...lastNotes(recordOf({ seats: record.seats }))]),
  );
  await expect(page(lines)).toMatchFileSnapshot(path.join(GOLDEN, 'panel-steps.txt'));
  expect(codeOf(() => settleVotes(graphOf({ ...OWN, fence: 2 }), record, { votes: agreed, tier: '' }, CALL))).toBe(
    'stale_attempt',
  );

  const state = (steelman: object | undefined, more: object = {}, written = false) =>
    panelState(
      graphOf(...(steelman === undefined ? [] : [{ id: step('steelman'), ...steelman }])),
      { ...kept, tasks: [step('steelman')], ...more },
      written,
    );
  const rest = { missing: ['author', 'skeptic'], unanimous: true, steelmanWritten: false };
  const said = (message: string) => ({ status: 'abandoned', log: [{ timestamp: '', message }] });
  expect(state(undefined, {}, true)).toEqual({ ...rest, steelmanWritten: true, waived: undefined });
  expect(state({ status: 'done' })).toEqual({ ...rest, waived: undefined });
  expect(state(said('Abandoned: it is a colour'))).toEqual({ ...rest, waived: 'it is a colour' });
  expect(state(said('Abandoned'))).toEqual({ ...rest, waived: 'a person did without it' });
  expect(state({ status: 'abandoned' })).toEqual({ ...rest, waived: 'a person did without it' });
  expect(state({ ...said('x'), fence: 1 })).toEqual({ ...rest, waived: undefined });
  expect(state(said('x'), { tasks: [] }).waived).toBeUndefined();
  expect(state(undefined, { kept: {} })).toEqual({ ...rest, missing: [], unanimous: false, waived: undefined });
});

const entry = (id: string, more: object = {}) => ({
  id,
  title: `About ${id}`,
  source: `https://X.example/${id}`,
  claim: 'c',
  ...more,
});
const scout = (slice: string, ids: readonly string[], more: object = {}) =>
  readScout(slice, { data: { entries: ids.map((id) => entry(id)), ...more } }, USUAL_SCHEMA);

test('the steps of a sweep that code takes', async () => {
  const slices = [
    { name: 'web', owns: ['pages'], question: undefined },
    { name: 'books', owns: ['papers', 'essays'], question: 'Who?' },
  ];
  const partition = partitionOf(slices, USUAL_SCHEMA);
  const record = recordOf({
    ...{ formation: 'sweep', seats: [{ name: 'web' }, { name: 'books', tier: 'opus' }], tasks: [step('web')] },
    ...{ kept: { partition: partitionText(partition) }, options: { sample: '20' }, notes: ['steering: quick', 'x: y'] },
  });
  expect(partitionIn(record)).toEqual(partition);
  expect(partitionIn(recordOf({ seats: record.seats })).slices.map(({ owns }) => owns)).toEqual([['web'], ['books']]);
  const graph = (held: string) =>
    graphOf(
      { ...OWN, id: step(held) },
      ...['merge', 'synthesis', 'settle', 'log'].filter((name) => name !== held).map((name) => ({ id: step(name) })),
    );
  const call = (held: string) => ({ now: NOW, by: { ...HOLDER, taskId: step(held) } });
  const view = graph('settle');
  const thin = mergeScouts([scout('web', ['a', 'b', 'c']), scout('books', ['a', 'z'], { thin: 'wrong-angle' })]);
  const whole = mergeScouts([scout('web', ['a', 'b', 'c']), scout('books', ['d', 'e', 'f'])]);
  const strange = mergeScouts([scout('web', ['a', 'b', 'c']), scout('moon', ['d'])]);
  const settle = (merged: typeof thin, name: 'merge' | 'merge-again' = 'merge', of = record) =>
    settleMerge(graph(name), of, { step: name, merged, findings: 'hash', tiers: ['haiku'] }, call(name));
  const first = settle(thin);
  const kept = {
    ...record,
    kept: {
      ...record.kept,
      merge: JSON.stringify({
        ...mergeFacts(record),
        sample: ['a'],
        findings: 'old',
        next: 'new',
        inFull: { web: ['a'] },
      }),
    },
  };
  const verification = {
    entries: [],
    refuted: [{ id: 'a', slice: 'books' }],
    inFull: new Map([['books', ['z']]]),
  } as never;
  const verify = (of = kept) =>
    settleVerification(view, of, { verification, findings: 'later', tiers: ['haiku', 'opus'] }, call('settle'));
  const none = { entries: [], refuted: [], inFull: new Map() } as never;
  const lines = [
    '# a thin slice',
    ...told(first),
    '# the same again',
    ...told(settle(thin, 'merge', { ...record, tasks: first.result.added as string[] })),
    '# the second look',
    ...told(
      settle(mergeScouts([scout('web', ['a', 'b', 'c']), scout('books', ['d'])]), 'merge-again', {
        ...record,
        tasks: first.result.added as string[],
      }),
    ),
    '# nothing thin',
    ...told(settle(whole)),
    '# a slice that nobody knows',
    ...told(settle(strange)),
    '# refuted',
    ...told(verify()),
    '# refuted, taken again',
    ...told(verify({ ...kept, tasks: [step('verify-books')] })),
    '# nothing refuted',
    ...told(settleVerification(view, kept, { verification: none, findings: 'later', tiers: [] }, call('settle'))),
    '# findings are about to be written',
    ...told(nextFindings(view, kept, 'newer', 'ann')),
  ];
  const judgements = [
    { id: 'a', verdict: 'HOLDS', why: '' },
    { id: 'b', verdict: 'HOLDS-WITH-CUTS', why: 'less <b>' },
    { id: 'c', verdict: 'REFUTED', why: '' },
  ] as const;
  const facts = { ...mergeFacts(record), gaps: strange.thin, duplicates: { books: 2 }, rejected: 3 };
  const end = {
    date: '2026-03-21',
    entries: whole.entries,
    judgements,
    refuted: [
      { slice: 'web', source: 'http://A.b/c?d' },
      { slice: 'web', source: 'a book' },
    ],
  };
  lines.push(
    '# logs',
    sweepLogEntry({ ...record, kept: { ...record.kept, merge: JSON.stringify(facts) } }, end),
    sweepLogEntry(record, { ...end, entries: [], judgements: [], refuted: [] }),
  );
  const synthesis = { findings: [{ text: 'It <i>fails</i>', entries: ['a', 'b', 'gone'] }], dropped: 2 };
  lines.push(
    '# reports',
    sweepReport({ question: 'Why <it>?', synthesis, entries: whole.entries, judgements, gaps: strange.thin }),
  );
  lines.push(
    sweepReport({ question: 'Why?', synthesis: { findings: [], dropped: 0 }, entries: [], judgements: [], gaps: [] }),
  );
  await expect(page(lines)).toMatchFileSnapshot(path.join(GOLDEN, 'sweep-steps.txt'));
  expect(codeOf(() => settle(mergeScouts([]), 'merge'))).toBe('sweep_empty');
  expect(codeOf(() => settle(mergeScouts([scout('web', [])]), 'merge-again'))).toBe('sweep_empty');
  expect(codeOf(() => settle(mergeScouts([scout('web', [])]), 'merge'))).toBe('none');
  const stale = { now: NOW, by: { ...HOLDER, taskId: step('settle'), fence: 2 } };
  expect(
    codeOf(() => settleMerge(view, record, { step: 'merge', merged: whole, findings: '', tiers: [] }, stale)),
  ).toBe('stale_attempt');
  expect(codeOf(() => settleVerification(view, record, { verification: none, findings: '', tiers: [] }, stale))).toBe(
    'stale_attempt',
  );
  expect(mergeFacts(recordOf())).toEqual({
    findings: '',
    next: '',
    sample: [],
    gaps: [],
    duplicates: {},
    rejected: 0,
    inFull: {},
  });
  const many = Array.from({ length: 100 }, (_, at) => ({
    ...entry(`e${at}`),
    slice: 'web',
    fields: {},
    provenance: [],
  }));
  expect([sampleIn(record, many).length, sampleIn(recordOf(), many).length]).toEqual([20, SWEEP_LIMITS.samplePercent]);
});

test('how a sweep is divided, up to each bound', () => {
  const slices = (count: number, more: object = {}) =>
    Array.from({ length: count }, (_, at) => ({ name: `s${at}`, owns: [`k${at}`], ...more }));
  const read = (data: object) => {
    try {
      return readPartition({ slices: slices(5), ...data }, 'f').warnings.length;
    } catch (error) {
      return (error as { code: string }).code;
    }
  };
  const keys = (count: number, length = 1) => Array.from({ length: count }, (_, at) => `${at}`.padStart(length, 'k'));
  const schema = (required: number, optional: number, length = 3) => ({
    schema: {
      root: 'facts',
      required: [
        'id',
        'title',
        'source',
        ...keys(required - 3, length).map((key) => `f${key}`.slice(-length).replace(/^\d/, 'f')),
      ],
      optional: keys(optional).map((key) => `o${key}`),
    },
  });
  const {
    slicesLeast,
    slicesMost,
    slicesUsualLeast,
    slicesUsualMost,
    sliceKeys,
    keyCharacters,
    requiredFields,
    optionalFields,
  } = SWEEP_LIMITS;
  expect(
    [slicesLeast - 1, slicesLeast, slicesMost, slicesMost + 1].map((count) => read({ slices: slices(count) })),
  ).toEqual([...['bad_input', 1, 1, 'bad_input']]);
  expect(
    [slicesUsualLeast - 1, slicesUsualLeast, slicesUsualMost, slicesUsualMost + 1].map((count) =>
      read({ slices: slices(count) }),
    ),
  ).toEqual([...[1, 0, 0, 1]]);
  const owning = (owns: string[]) => read({ slices: [...slices(4), { name: 'x', owns }] });
  expect([owning(keys(sliceKeys, 3)), owning(keys(sliceKeys + 1, 3)), owning([])]).toEqual([
    0,
    'bad_input',
    'bad_input',
  ]);
  expect([owning(['x'.repeat(keyCharacters)]), owning(['x'.repeat(keyCharacters + 1)]), owning([''])]).toEqual([
    0,
    'bad_input',
    'bad_input',
  ]);
  expect([
    read(schema(requiredFields, optionalFields)),
    read(schema(requiredFields + 1, 0)),
    read(schema(3, optionalFields + 1)),
  ]).toEqual([...[0, 'bad_input', 'bad_input']]);
});
