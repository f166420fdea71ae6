import { expect, test } from 'vitest';
import type { GraphState } from '#core/graph/state.js';
import type { Task } from '#core/graph/task.js';
import { chainStages, chainState, checkedStages, inputText, keptInput, stageInput } from '#core/playbooks/chain.js';
import { gateRecordIn, gateRecordText, NO_GATE_RECORD } from '#core/playbooks/gate-record.js';
import {
  activeRuns,
  checkedRecord,
  type FormationRecord,
  formationRecords,
  formationTasks,
  isFormationOver,
  isRelease,
  recordEvent,
  recordOf,
} from '#core/playbooks/record.js';
import { rolePlaceOf, soloTags } from '#core/playbooks/role-place.js';
import { FORMATION_LIMITS } from '#kernel/limits/formations.js';
import { codeOf, commit, graphOf } from '../graph/graph.js';

const record = (run: string, more: Partial<FormationRecord> = {}): FormationRecord => ({
  ...{
    formation: 'crew',
    run,
    goal: 'Ship it',
    state: 'running',
    at: '2026-03-21T10:00:00.000Z',
    seats: [],
    tasks: [],
  },
  ...{ options: {}, kept: {}, defaults: [], stumbles: {}, notes: [], handoffs: {}, judged: {}, stale: [] },
  ...more,
});
const keep = (view: GraphState, one: FormationRecord) =>
  commit(view, { events: [recordEvent(view, one, 'formation', { actor: 'x', detail: { y: 1 } })], result: undefined });
const [R1, R2, R3] = ['20260321-one-1f0c', '20260321-two-1f0c', '20260321-three-1f0c'];

test('a record is kept with the index of those under way and of all, the newest last', () => {
  const view = graphOf();
  for (const run of [R1, R2]) keep(view, record(run));
  keep(view, record(R1, { goal: 'Other' }));
  expect([activeRuns(view), formationRecords(view).map(({ run }) => run), recordOf(view, R1)?.goal]).toEqual([
    [R1, R2],
    [R1, R2],
    'Other',
  ]);
  keep(view, record(R1, { state: 'ended' }));
  expect([activeRuns(view), formationRecords(view).map(({ run }) => run)]).toEqual([[R2], [R1, R2]]);
  expect(recordEvent(view, record(R3), 'op', { actor: 'x', detail: { y: 1 } })).toMatchObject({
    op: 'op',
    actor: 'x',
    detail: { run: R3, y: 1 },
  });
  const notes = Array.from({ length: FORMATION_LIMITS.notes + 1 }, (_, index) => `n${index}`);
  keep(view, record(R3, { notes }));
  expect([recordOf(view, R3)?.notes.length, recordOf(view, R3)?.notes[0]]).toEqual([FORMATION_LIMITS.notes, 'n1']);
  expect([recordOf(view, 'nobody'), codeOf(() => checkedRecord(view, 'nobody')), checkedRecord(view, R2).run]).toEqual([
    undefined,
    'not_found',
    R2,
  ]);
});

test('a run is over with its last task, and a release is a step of the run that names it', () => {
  const view = graphOf({ id: 'a', status: 'done' }, { id: 'b' });
  const over = (...tasks: string[]) => isFormationOver(view, record(R1, { tasks }));
  expect([over(), over('a', 'gone'), over('a', 'b')]).toEqual([true, true, false]);
  expect(formationTasks(view, record(R1, { tasks: ['b', 'gone', 'a'] })).map(({ id }) => id)).toEqual(['b', 'a']);
  const release = `${R1}-release`;
  keep(view, record(R1, { tasks: [release, 'other'] }));
  const is = (id: string, ...tags: string[]) => isRelease(view, { id, tags } as unknown as Task);
  const tag = `formation:${R1}`;
  expect([is(release, tag), is(release), is('other', tag), is(release, `formation:${R2}`)]).toEqual([
    ...[true, false, false, false],
  ]);
  keep(view, record(R1, { tasks: [] }));
  expect(is(release, tag)).toBe(false);
});

test('stages of a chain: in their order, each once, and what one hands to the next', () => {
  for (const words of [['research'], ['research', ' panel '], ['panel', 'crew'], ['research', 'panel', 'crew']])
    expect(checkedStages(words), words.join()).toEqual(words.map((word) => word.trim()));
  for (const words of [[], ['panel', 'research'], ['crew', 'crew'], ['other'], ['research', 'other']])
    expect(
      codeOf(() => checkedStages(words)),
      words.join(),
    ).toBe('bad_input');
  const input = { file: 'a.md', sha256: 'abc' };
  expect(inputText(input)).toBe('a.md (SHA-256 abc)');
  expect([stageInput(record(R1, { kept: keptInput(input) })), keptInput(undefined)]).toEqual([input, {}]);
  expect([stageInput(record(R1)), stageInput(record(R1, { kept: { input: 'a.md' } }))]).toEqual([undefined, undefined]);
});

test('how a chain stands: what comes next, and what keeps it from ever coming', () => {
  const options = { stages: 'panel,crew' };
  const stands = (...tasks: Parameters<typeof graphOf>) => chainState(graphOf(...tasks), record(R1, { options }));
  const next = { id: `${R1}-next`, after_success: ['a', 'b'] };
  expect(chainState(graphOf(next), record(R1))).toBeUndefined();
  expect(stands(next, { id: 'a' }, { id: 'b', status: 'done' })).toEqual({ next: ['panel', 'crew'] });
  const failed = { id: 'c', status: 'failed', failure_reason: 'no luck' } as const;
  expect(stands(next, { id: 'a', after_success: ['c'] }, failed)?.stopped).toBe('c failed: no luck');
  expect(stands(next, { id: 'a', after: ['c'] }, failed)?.stopped).toBeUndefined();
  expect(stands(next, { id: 'b', status: 'abandoned', log: [{ timestamp: '', message: 'Over' }] })?.stopped).toBe(
    'b abandoned: Over',
  );
  expect(stands(next, { id: 'b', status: 'failed' })?.stopped).toBe('b failed: no reason was given');
  expect(stands(next, { id: 'a', after_success: ['b'] }, { id: 'b', after_success: ['a'] })).toEqual({
    next: ['panel', 'crew'],
  });
  expect(chainStages(graphOf(), record(R1))).toEqual([]);
  expect(chainStages(graphOf(), record(R1, { formation: 'sweep', options }))).toEqual([
    { stage: 'research', run: R1, state: 'running' },
    { stage: 'panel', run: undefined, state: undefined },
    { stage: 'crew', run: undefined, state: undefined },
  ]);
});

test('what hooks know of a run comes back as it was kept, and nothing else is taken for it', () => {
  const kept = {
    state: 'running',
    seats: [
      { name: 'dev', core: 'builder', tier: 'opus' },
      { name: 'tess', phase: 'qa' },
    ],
    handoffs: {},
    judged: { a: 'b' },
    stumbles: { dev: { rungs: [], passed: [1, 2], answered: { sha256: 's', rung: 'none', why: 'w' } } },
  } as never;
  const back = gateRecordIn(gateRecordText(kept, ['haiku', 'opus']));
  expect(back?.seats).toEqual([
    { name: 'dev', phase: 'dev', core: 'builder', tier: 'opus' },
    { name: 'tess', phase: 'qa' },
  ]);
  expect([back?.state, back?.tiers, [...(back?.judged ?? [])], back?.stumbles['dev']]).toEqual([
    'running',
    ['haiku', 'opus'],
    [['a', 'b']],
    { rungs: [], passed: [1, 2] },
  ]);
  const text = (change: object) => JSON.stringify({ ...JSON.parse(gateRecordText(kept, [])), ...change });
  for (const wrong of [
    { seats: 'x' },
    { seats: [] },
    { seats: [{ name: 'dev' }] },
    { seats: [7] },
    { judged: 'x' },
    { handoffs: [] },
  ])
    expect(gateRecordIn(text(wrong)), JSON.stringify(wrong)).toBeUndefined();
  expect(gateRecordIn('no')).toBeUndefined();
  const odd = gateRecordIn(text({ state: 'lost', stumbles: { dev: 7 }, tiers: ['a', 7] }));
  expect([odd?.state, odd?.stumbles, odd?.tiers]).toEqual([undefined, {}, ['a']]);
  expect(gateRecordIn(text({ tiers: 'x', stumbles: 7 }))).toMatchObject({ tiers: NO_GATE_RECORD.tiers, stumbles: {} });
});

test('as which role a task is worked on', () => {
  expect(rolePlaceOf(soloTags('qa'))).toEqual({ lane: 'solo', role: 'qa' });
  for (const tags of [undefined, [], ['role:qa'], ['lane:solo'], soloTags('Bad Name')])
    expect(rolePlaceOf(tags)).toBeUndefined();
});
