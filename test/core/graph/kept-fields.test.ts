import { describe, expect, test } from 'vitest';
import { matchingTasks } from '#core/graph/archived.js';
import { automaticSummary } from '#core/graph/checkpoint.js';
import { handEdit } from '#core/graph/hand-edit.js';
import { storedFields } from '#core/graph/lib/fields.js';
import { graphText, modernTask, nodeLine } from '#core/graph/line.js';
import { packEvents } from '#core/graph/packing.js';
import { entryProblem, isFromLaterVersion, nodeProblem, withoutNulls } from '#core/graph/record-problem.js';
import { GraphState } from '#core/graph/state.js';
import type { GraphNode, Task } from '#core/graph/task.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';

const task = (id: string, more: object = {}) =>
  ({ kind: 'task', id, title: id, status: 'open', ...more }) as unknown as Task;
const nodes = (...all: GraphNode[]) => new Map(all.map((node) => [node.id, node]));

describe('lines of the file', () => {
  test('own fields stand in their order, empty ones are left out, unknown ones come last', () => {
    const line = nodeLine(task('a', { zzz: 0, member: 'm', team: 't', plan_required: false, merged: '' }));
    expect(Object.keys(JSON.parse(line))).toEqual(['kind', 'id', 'title', 'status', 'team', 'member', 'zzz']);
  });

  test('comments stand above the tasks, lines nobody can read below them', () => {
    const lines = graphText([task('b'), task('a')], ['# plan'], ['broken']).split('\n');
    expect(lines.map((line) => line.slice(0, 20))).toEqual([
      '# plan',
      '{"kind":"task","id":',
      '{"kind":"task","id":',
      'broken',
      '',
    ]);
    expect(lines[1]).toContain('"a"');
  });

  test('an older file: former names of edges and of a status', () => {
    expect(modernTask({ id: 'a', blocked_by: ['b', 'c'], after: ['c'], status: 'pending-review' })).toEqual({
      id: 'a',
      after: ['c', 'b'],
      status: 'done',
    });
    expect(modernTask({ id: 'a', blocked_by: [] })).toEqual({ id: 'a' });
    expect(modernTask({ id: 'a', visibility: '' })).toEqual({ id: 'a' });
    expect(modernTask({ id: 'a', visibility: 'peer' })).toEqual({ id: 'a', visibility: 'peer' });
    expect(modernTask({ id: 'a', blocked_by: ['b'] })).toEqual({ id: 'a', after: ['b'] });
  });
});

test('what a hand changed in a line is the fields that differ, and no more', () => {
  const was = task('a', { title: 'A', description: 'D', tags: ['t'] });
  const { description: _, ...rest } = was;
  const hand = { ...rest, title: 'B' } as Task;
  const patches = handEdit(nodes(was), nodes(hand), () => was, new Set()).flatMap((event) => event.patch);
  expect(patches).toEqual([{ id: 'a', set: { title: 'B' }, unset: ['description'] }]);
  const renamed = { ...was, title: 'B' } as Task;
  expect(handEdit(nodes(was), nodes(renamed), () => was, new Set())[0]?.patch).toEqual([
    { id: 'a', set: { title: 'B' } },
  ]);
});

test('a graph that is adopted as it lies is the same as one into which copies of its nodes are put', () => {
  const lying = [
    task('a', { team: 't', merged: 'abc' }),
    task('b', { after: ['a'], rev: 2 }),
    task('c', { status: 'done', exec: 'x' }),
  ];
  for (const settled of [false, true]) {
    const states = [(node: GraphNode) => node, (node: GraphNode) => ({ ...node })].map((same) => {
      const state = new GraphState();
      state.load(lying, 0);
      if (settled) state.settle();
      const patch = lying.map((node) => ({ id: node.id, put: same(node) }));
      state.apply({ seq: 7, id: 'e', timestamp: '', op: 'adopt', patch });
      return state;
    });
    const [one, other] = states.map((state) => ({
      ...{ nodes: state.nodesById(), seq: state.seq, teamSeq: state.teamSeq, retiredSeq: state.retiredSeq },
      ...{ free: [...state.candidates()].sort(), open: state.count('open'), done: state.count('done') },
      ...{ follows: state.followsMerged('b'), dependents: state.dependents('a') },
    }));
    expect(one).toEqual(other);
    expect(one).toMatchObject({ teamSeq: 7, free: ['a'], open: 2 });
    expect(one?.nodes.map((node) => node['rev'])).toEqual([7, 7, 7]);
  }
});

describe('an entry of the log', () => {
  const sound = { seq: 1, op: 'add', id: 'e1', timestamp: '2026-03-21T10:00:00.000Z', patch: [] };

  test.each([
    ['seq', 0],
    ['op', 7],
    ['id', ''],
    ['timestamp', 7],
    ['prev', 7],
    ['tx', [2, 1]],
    ['detail', 'words'],
    ['patch', {}],
  ])('whose %s is of another form is none', (field, value) => {
    expect(entryProblem(sound)).toBeUndefined();
    expect(entryProblem({ ...sound, prev: 'e0', tx: [1, 2], detail: {} })).toBeUndefined();
    expect(entryProblem({ ...sound, [field]: value })).toContain(`"${field}"`);
  });

  test.each([
    [{ id: 'a' }, true],
    [{ set: {} }, false],
    [{ id: 'a', put: task('a') }, true],
    [{ id: 'a', put: task('b') }, false],
    [{ id: 'a', put: { id: 'a' } }, false],
    [{ id: 'a', put: 'words' }, false],
    [{ id: 'a', set: { title: 'A', status: 'done' } }, true],
    [{ id: 'a', set: { status: 'gone' } }, false],
    [{ id: 'a', set: 'words' }, false],
    [{ id: 'a', unset: ['title'] }, true],
    [{ id: 'a', unset: ['title', 7] }, false],
    [{ id: 'a', unset: 'title' }, false],
    [{ id: 'a', log: [{}] }, true],
    [{ id: 'a', log: [{}, 'words'] }, false],
    [{ id: 'a', log: {} }, false],
    ['words', false],
  ])('is one that can be redone, or none: %j', (patch, usable) => {
    const problem = usable ? undefined : 'an entry with an unusable "patch"';
    expect(entryProblem({ ...sound, patch: [{ id: 'z' }, patch] })).toBe(problem);
  });

  test.each([[[1, 1]], [[2, 2]], [[0, 1]], [[1, 2, 3]], [[1]], [[1.5, 2]], [[1, 2.5]], ['1/2']])(
    'stands at a place in its group: %j',
    (tx) => {
      const good = JSON.stringify(tx) === '[1,1]' || JSON.stringify(tx) === '[2,2]';
      expect(entryProblem({ ...sound, tx })).toBe(good ? undefined : 'an entry with an unusable "tx"');
    },
  );

  test('of a later version asks for what this one does not know', () => {
    const later = (more: object) => isFromLaterVersion({ ...sound, ...more });
    expect([later({}), later({ format: 1 }), later({ format: 2 })]).toEqual([false, false, true]);
    const parts = { id: 'a', put: {}, set: {}, unset: [], log: [], log_at: 1, del: true, to: 'b', kept: true };
    expect(later({ patch: [parts] })).toBe(false);
    expect(later({ patch: [parts, { ...parts, move: 1 }] })).toBe(true);
    expect(later({ patch: 'words' })).toBe(false);
  });
});

describe('a line of the file', () => {
  test.each([
    [{ kind: 7 }, 'no "kind"'],
    [{ id: '' }, 'no "id"'],
    [{ id: 7 }, 'no "id"'],
    [{ kind: 'resource', title: 7 }, undefined],
    [{ title: 7 }, 'a task without "title"'],
    [{ status: 'gone' }, 'an unknown "status"'],
    [{ assigned: 7 }, '"assigned" is not text'],
    [{ rev: '7' }, '"rev" is not a number'],
    [{ paused: 'yes' }, '"paused" is not true or false'],
    [{ estimate: [] }, '"estimate" is not an object'],
    [{ after: 'b' }, '"after" is not a list'],
    [{ tags: ['t', 7] }, '"tags" contains something other than text'],
    [{ log: {} }, '"log" is not a list'],
    [{ log: ['words'] }, '"log" contains something other than messages with times'],
    [{ log: [{ timestamp: 't', message: 'm', actor: 7 }] }, '"log" contains something other than messages with times'],
    [
      {
        log: [
          { timestamp: 't', message: 'm' },
          { timestamp: 't', message: 'm', actor: 'ann' },
        ],
      },
      undefined,
    ],
    [{ log: [{ timestamp: 't' }] }, '"log" contains something other than messages with times'],
    [{ whatever: 7 }, undefined],
  ])('is a node, or says why it is none: %j', (fields, problem) => {
    expect(nodeProblem({ ...task('a'), ...fields })).toBe(problem);
  });

  test('without a value in a known field is as if that were not there', () => {
    expect(withoutNulls({ id: 'a', title: null, log: null, theirs: null })).toEqual({ id: 'a', theirs: null });
    const sound = { id: 'a', theirs: null };
    expect(withoutNulls(sound)).toBe(sound);
  });
});

test('every field that may be said of a task is stored, and one that says nothing is not', () => {
  const fields = {
    ...{ description: 'D', exec: 'true', exec_mode: 'shell' as const, not_before: '2026-03-21T10:00:00.000Z' },
    ...{ delay: '5m', timeout: '1h', member: 'ann', agent: 'a1', model: 'opus', provider: 'anthropic' },
    ...{ verify: 'Read it', verify_cmd: 'make test', require_commit: true, max_retries: 0, max_rejections: 2 },
    ...{ in: 'integration', visibility: 'internal', context_scope: 'task' },
  };
  expect(storedFields({ ...fields, requires: ['a.txt', 'a.txt'], hours: 0, cost: 1.5 })).toEqual({
    ...{ ...fields, requires: ['a.txt'], estimate: { hours: 0, cost: 1.5 } },
  });
  const empty = Object.fromEntries(Object.keys(fields).map((field) => [field, undefined]));
  expect(
    storedFields({ ...empty, delay: '', verify: '', verify_cmd: '', require_commit: false, requires: [] }),
  ).toEqual({});
  expect(storedFields({ description: '' })).toEqual({ description: '' });
  expect([storedFields({ needs: ['gpu'] }), storedFields({ needs: [] })]).toEqual([{ needs: ['gpu'] }, {}]);
});

test('a cycle is bounded, and keeps what is not changed', () => {
  const all = {
    ...{ max_iterations: 3, cycle_guard: 'task:a=done', cycle_delay: '5m', no_converge: true },
    ...{ no_restart_on_failure: true, max_failure_restarts: 0 },
  };
  const config = {
    ...{ max_iterations: 3, guard: { TaskStatus: { task: 'a', status: 'done' } }, delay: '5m', no_converge: true },
    ...{ restart_on_failure: false, max_failure_restarts: 0 },
  };
  expect(storedFields(all)).toEqual({ cycle_config: config });
  const was = task('a', { cycle_config: { max_iterations: 5, delay: '1h' } });
  expect(storedFields({ no_converge: true }, was)).toEqual({
    cycle_config: { max_iterations: 5, delay: '1h', no_converge: true },
  });
  expect(storedFields({ title: 'B' } as object, was)).toEqual({});
  for (const [option, input] of [
    ['--cycle-guard', { cycle_guard: 'always' }],
    ['--cycle-delay', { cycle_delay: '5m' }],
    ['--no-converge', { no_converge: true }],
    ['--no-restart-on-failure', { no_restart_on_failure: true }],
    ['--max-failure-restarts', { max_failure_restarts: 0 }],
  ] as const)
    expect(() => storedFields(input)).toThrow(`${option} needs --max-iterations`);
  const most = WORK_LIMITS.cycleIterations;
  for (const max_iterations of [1, most])
    expect(storedFields({ max_iterations })).toEqual({ cycle_config: { max_iterations } });
  for (const max_iterations of [0, most + 1, 1.5])
    expect(() => storedFields({ max_iterations })).toThrow(`from 1 to ${most}`);
  expect(storedFields({ max_retries: most })).toEqual({ max_retries: most });
  for (const max_retries of [-1, most + 1, 1.5])
    expect(() => storedFields({ max_retries })).toThrow(`--max-retries must be a whole number from 0 to ${most}`);
  for (const hours of [-1, Number.NaN, Number.POSITIVE_INFINITY])
    expect(() => storedFields({ hours })).toThrow('hours must be a number of 0 or more');
  expect(() => storedFields({ visibility: 'secret' })).toThrow('Not a visibility: "secret"');
});

test('each event is filled up to what a line may hold, the first like the others', () => {
  const parcel = (id: string) => ({ patch: { id, set: { title: '' } } });
  const more = WORK_LIMITS.eventCharacters / 2 - JSON.stringify(parcel('a')).length;
  const half = (id: string) => ({ patch: { id, set: { title: 'x'.repeat(more) } } });
  const events = packEvents('merge', [half('a'), half('b'), half('c'), half('d')], () => ({}));
  expect(events.map(({ patch }) => patch.map(({ id }) => id))).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ]);
});

test('an estimate of one measure is kept, and so is the other when one is changed', () => {
  expect(storedFields({ hours: 2 })).toEqual({ estimate: { hours: 2 } });
  expect(storedFields({ cost: 5 }, task('a', { estimate: { hours: 2 } }))).toEqual({ estimate: { hours: 2, cost: 5 } });
});

test('archived tasks are found by every word, wherever in the task it stands, and by when they ended', () => {
  const tasks = [
    task('b', { title: 'Write the parser', tags: ['Core'], completed_at: '2026-03-01T00:00:00.000Z' }),
    task('a', { title: 'Write the lexer', artifacts: ['parser.ts'], completed_at: '2026-03-02T00:00:00.000Z' }),
  ];
  const found = (query: Parameters<typeof matchingTasks>[1]) => matchingTasks(tasks, query).map(({ id }) => id);
  expect(found({})).toEqual(['a', 'b']);
  expect(found({ text: 'PARSER write' })).toEqual(['a', 'b']);
  expect(found({ text: 'parser core' })).toEqual(['b']);
  expect(found({ text: 'nothing of it' })).toEqual([]);
  expect(found({ endedBefore: Date.parse('2026-03-02T00:00:00.000Z') })).toEqual(['b']);
  expect(found({ limit: 1 })).toEqual(['a']);
});

test('a summary without a model keeps each line of the log short', () => {
  const log = [{ timestamp: '', actor: 'agent-1', message: 'x'.repeat(600) }];
  const [, line = ''] = automaticSummary(task('a', { log }), 'agent-1', '').split('\n');
  expect([...line]).toHaveLength('- '.length + 500);
});
