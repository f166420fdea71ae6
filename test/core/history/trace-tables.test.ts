import { expect, test } from 'vitest';
import type { Entry } from '#core/graph/event.js';
import type { Task } from '#core/graph/task.js';
import { checkedTag, importTrace, tagOfFile } from '#core/history/import-trace.js';
import { firstParent, isOneLine, LogHistory, mainLine } from '#core/history/log-history.js';
import { maskedTrace, recordName, recordTexts } from '#core/history/mask-trace.js';
import { frameLayers, framesOf } from '#core/history/replay-frames.js';
import {
  actorKind,
  entriesOf,
  operationOf,
  runsOfTask,
  tasksOfRuns,
  totalsOf,
  treeOf,
  workedSeconds,
} from '#core/history/task-history.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { codeOf, graphOf } from '../graph/graph.js';

const TASK = { id: 'a', title: 'A', status: 'done' };
const SCORE = { id: 'e', task_id: 'a', score: 1 };
const AT = '2026-03-21T10:00:00.000Z';

/** The place that is named when a trace is refused; `fine` when it is not. */
function place(rest: object | string): string {
  const content =
    typeof rest === 'string' ? rest : JSON.stringify({ metadata: { version: 1 }, tasks: [TASK], ...rest });
  try {
    importTrace(content, 't');
    return 'fine';
  } catch (error) {
    return String((error as { details: { place: string } }).details.place);
  }
}

test('each thing that may be wrong with a trace, at its place, and the largest that is not', () => {
  const task = (fields: object) => ({ tasks: [TASK, { ...TASK, id: 'b', ...fields }] });
  const score = (fields: object) => ({ evaluations: [{ ...SCORE, ...fields }] });
  const rows: [object | string, string][] = [
    ['{', 'The file'],
    ['[]', 'The file'],
    [`\ufeff{"metadata":{"version":1}}`, 'The file'],
    ['{"metadata":{"version":1},"x":{"__proto__" : 1}}', 'The file'],
    ['{"tasks":[]}', 'metadata'],
    ['{"metadata":[]}', 'metadata'],
    ['{"metadata":{"version":2}}', 'metadata.version'],
    ['{"metadata":{"version":1}}', 'fine'],
    [{ tasks: 'x' }, 'tasks'],
    [{ operations: 'x' }, 'operations'],
    [{ functions: {} }, 'functions'],
    [{ functions: [7] }, 'functions[0]'],
    [{ tasks: [TASK, null] }, 'tasks[1]'],
    [{ tasks: [TASK, TASK] }, 'tasks[1].id'],
    [task({ id: '' }), 'tasks[1].id'],
    [task({ id: 7 }), 'tasks[1].id'],
    [task({ id: 'x'.repeat(2 * WORK_LIMITS.idCharacters) }), 'fine'],
    [task({ id: 'x'.repeat(2 * WORK_LIMITS.idCharacters + 1) }), 'tasks[1].id'],
    [task({ title: 7 }), 'tasks[1].title'],
    [task({ title: 'x'.repeat(WORK_LIMITS.titleCharacters) }), 'fine'],
    [task({ title: 'x'.repeat(WORK_LIMITS.titleCharacters + 1) }), 'tasks[1].title'],
    [task({ status: 'lost' }), 'tasks[1].status'],
    [task({ own: 'x'.repeat(WORK_LIMITS.descriptionBytes) }), 'fine'],
    [task({ own: 'x'.repeat(WORK_LIMITS.descriptionBytes + 1) }), 'tasks[1].own'],
    [task({ ['k'.repeat(70)]: 'x'.repeat(WORK_LIMITS.descriptionBytes + 1) }), `tasks[1].${'k'.repeat(60)}`],
    [score({}), 'fine'],
    [score({ score: 0 }), 'fine'],
    [score({ score: 1.01 }), 'evaluations[0].score'],
    [score({ score: -0.01 }), 'evaluations[0].score'],
    [score({ score: '1' }), 'evaluations[0].score'],
    [score({ id: '' }), 'evaluations[0].id'],
    [score({ task_id: 7 }), 'evaluations[0].task_id'],
    [score({ own: 'x'.repeat(WORK_LIMITS.descriptionBytes + 1) }), 'evaluations[0].own'],
    [{ tasks: Array.from({ length: TEAM_LIMITS.traceTasks + 1 }, () => TASK) }, 'tasks'],
    [{ evaluations: Array.from({ length: TEAM_LIMITS.traceTasks + 1 }, () => SCORE) }, 'evaluations'],
    [{ operations: Array.from({ length: TEAM_LIMITS.traceTasks + 1 }, () => ({})) }, 'fine'],
  ];
  for (const [content, wanted] of rows) expect(place(content), JSON.stringify(content).slice(0, 90)).toBe(wanted);
});

test('every id of an imported task is renamed, in each list and in the guard', () => {
  const content = (tasks: object[]) => JSON.stringify({ metadata: { version: 1 }, tasks });
  const lists = { after: ['a'], before: ['a'], after_success: ['a'] };
  const guard = { TaskStatus: { task: 'a', status: 'failed' } };
  const { source, tasks } = importTrace(
    content([TASK, { ...TASK, id: 'b', ...lists, cycle_config: { max_iterations: 2, guard } }]),
    't',
  );
  expect([source, tasks[1]]).toMatchObject([
    't',
    {
      id: 'imported/t/b',
      after: ['imported/t/a'],
      cycle_config: { guard: { TaskStatus: { task: 'imported/t/a', status: 'failed' } } },
    },
  ]);
  const plain = importTrace(content([{ ...TASK, cycle_config: { max_iterations: 2, guard: 'Always' } }]), 't').tasks[0];
  expect(plain).toMatchObject({ cycle_config: { max_iterations: 2, guard: 'Always' } });
  const most = TEAM_LIMITS.traceTagCharacters;
  const tags = ['a', 'A.b_c-1', 'x'.repeat(most), '', '.a', 'a..b', 'a b', 'x'.repeat(most + 1)];
  expect(tags.map((tag) => codeOf(() => checkedTag(tag)))).toEqual([
    ...Array(3).fill('none'),
    ...Array(5).fill('bad_input'),
  ]);
  expect(['x.JSON', '..peer a!.json', '--', `${'y'.repeat(most)}z.json`].map(tagOfFile)).toEqual([
    'x',
    'peer-a',
    'import',
    'y'.repeat(most),
  ]);
});

test('secrets of an export are masked wherever they stand, and it is said of which record', () => {
  const trace = {
    metadata: { version: 1 },
    tasks: [
      { id: 'a', title: 'key hunter2-long', list: ['x', { deep: 'hunter2' }], none: null, number: 7 },
      { id: 'b', title: 'fine', list: ['x'] },
    ],
    evaluations: [{ id: 'e', notes: 'hunter2-long and hunter2' }],
    operations: [{ seq: 3, detail: { token: `ghp_${'a1B2'.repeat(9)}` } }],
    functions: [{ name: 'f', text: 'fine' }],
  } as never as Parameters<typeof maskedTrace>[0];
  const found = [
    { name: 'task a', kind: 'password', value: 'hunter2' },
    { name: 'task a', kind: 'key', value: 'hunter2-long' },
    { name: 'evaluation e', kind: 'key', value: 'hunter2-long' },
  ];
  const { trace: clean, masked } = maskedTrace(trace, found);
  expect(masked).toEqual(['task a: password, key', 'evaluation e: key', 'event 3: what has the form of a secret']);
  expect(JSON.stringify(clean)).not.toMatch(/hunter2|-long|ghp_/);
  expect(clean.metadata).toEqual({ version: 1, masked });
  expect(clean.tasks[1]).toBe(trace.tasks[1]);
  expect(clean.tasks[0]).toMatchObject({ id: 'a', none: null, number: 7, list: ['x', {}] });
  expect((clean.tasks[0] as unknown as { title: string }).title).toMatch(/^key [^h]+$/);
  const quiet = { ...trace, tasks: [], evaluations: [], operations: [] };
  expect(maskedTrace(quiet, []).trace.metadata).toBe(trace.metadata);
  expect(recordTexts(trace).map(({ name, text }) => [name, text.split('\n').length])).toEqual([
    ...[
      ['task a', 4],
      ['task b', 3],
      ['evaluation e', 2],
      ['event 3', 1],
      ['function f', 2],
    ],
  ]);
  expect([recordName('operations', { seq: 0 }), recordName('tasks', {})]).toEqual(['event 0', 'task']);
});

const entry = (seq: number, id: string, more: Partial<Entry> = {}): Entry => ({
  ...{ seq, id, timestamp: AT, op: 'x', patch: [] },
  ...more,
});
const merge = (seq: number, id: string, prev: string, ...heads: unknown[]) =>
  entry(seq, id, { op: 'merge', prev, detail: { heads } as never });
const ids = (entries: readonly Entry[]) => entries.map(({ id }) => id).join(' ');

test('a file is one line where each entry follows the one above it', () => {
  const chain = [entry(1, 'a'), entry(2, 'b', { prev: 'a' }), entry(3, 'c')];
  expect(isOneLine(chain, undefined)).toBe(true);
  expect(isOneLine([], undefined)).toBe(true);
  expect(isOneLine([entry(5, 'a', { prev: 'z' })], undefined)).toBe(true);
  expect(isOneLine([entry(1, 'a'), entry(1, 'b')], undefined)).toBe(false);
  expect(isOneLine([entry(1, 'a'), entry(3, 'c')], undefined)).toBe(false);
  expect(isOneLine([entry(1, 'a'), entry(3, 'c', { prev: 'a' })], undefined)).toBe(true);
  expect(isOneLine([entry(1, 'a'), entry(2, 'b', { prev: 'z' })], undefined)).toBe(false);
  expect(isOneLine(chain.slice(1), { seq: 1, id: 'a' })).toBe(true);
  expect(isOneLine(chain.slice(1), { seq: 1, id: 'z' })).toBe(false);
  expect(isOneLine(chain.slice(1), { seq: 2, id: 'a' })).toBe(false);
});

test('branches, what a merge took in, where they went apart, and which line counts', () => {
  const entries = [
    entry(1, 'a'),
    entry(2, 'b', { prev: 'a' }),
    entry(2, 'c', { prev: 'a' }),
    entry(3, 'd', { prev: 'c' }),
    merge(4, 'm', 'd', 'b', 'nobody', 7, 'd', 'm'),
    entry(5, 'e', { prev: 'm' }),
    entry(3, 'f', { prev: 'b' }),
  ];
  const history = new LogHistory(entries);
  expect([ids(history.heads), ids(history.line('e')), ids(history.line('f'))]).toEqual(['e f', 'a c d m e', 'a b f']);
  expect(history.lines().map(ids)).toEqual(['a c d m e', 'a b f', 'a b']);
  expect([...history.withAncestors(['m'])].sort().join(' ')).toBe('a b c d m');
  expect(ids(history.forks(history.withAncestors(['e']), history.withAncestors(['f'])))).toBe('b');
  expect(ids(history.forks(history.withAncestors(['b']), history.withAncestors(['d'])))).toBe('a');
  expect(ids(mainLine(entries))).toBe('a c d m e');
  expect(mainLine([])).toEqual([]);
  expect([
    firstParent([])?.id,
    firstParent([entry(2, 'x'), entry(2, 'y'), entry(1, 'z')])?.id,
    firstParent([entry(1, 'x'), entry(2, 'y')])?.id,
  ]).toEqual([...[undefined, 'x', 'y']]);
  const loop = new LogHistory([entry(2, 'a', { prev: 'b' }), entry(1, 'b', { prev: 'a' })]);
  expect(ids(loop.line('a'))).toBe('b a');
});

test('an id that stands there twice counts once; what lost its predecessor goes on from what stands above', () => {
  const twice = new LogHistory([
    entry(1, 'a'),
    entry(1, 'a'),
    entry(2, 'b', { prev: 'a' }),
    entry(2, 'b', { prev: 'a', op: 'y' }),
  ]);
  expect([ids(twice.entries), twice.conflictingIds, twice.entries[1]?.op]).toEqual(['a b', ['b'], 'x']);
  const gap = new LogHistory([
    entry(1, 'a'),
    entry(2, 'b', { prev: 'a' }),
    entry(9, 'c', { prev: 'lost' }),
    entry(5, 'd', { prev: 'lost' }),
  ]);
  expect([ids(gap.line('c')), ids(gap.line('d'))]).toEqual(['a b c', 'a b d']);
  expect(ids(new LogHistory([entry(1, 'a'), entry(2, 'b')]).line('b')), 'without prev the number before it').toBe(
    'a b',
  );
  expect(ids(new LogHistory([entry(3, 'a'), entry(2, 'b')]).line('b'))).toBe('b');
  const named = new LogHistory([
    entry(1, 'a', { patch: [{ id: 't', put: { kind: 'task', id: 't', title: 'T', status: 'open' } }] }),
    entry(2, 'b', { prev: 'a' }),
  ]);
  expect(named.stateAt('b').task('t')?.title).toBe('T');
});

test('who stands behind an entry, what touched a task, which runs it had, and how long it took', () => {
  const kinds = ['ann', 'agent-1', 'agent-x', 'coordinator', 'service', 'troupe'].map((actor) =>
    actorKind({ op: 'x', actor }),
  );
  expect(kinds).toEqual(['human', 'agent', 'human', 'system', 'system', 'system']);
  expect([actorKind({ op: 'hand_edit' }), actorKind({ op: 'x' })]).toEqual(['human', 'system']);
  const usage = { cost_usd: 1, input_tokens: 2, note: 'x', output_tokens: Number.NaN } as never;
  const entries = [
    entry(1, 'e1', { op: 'spawn_agent', task_id: 'a', actor: 'agent-1', detail: { executor: 'claude' } }),
    entry(2, 'e2', { op: 'spawn_agent', task_id: 'b', actor: 'x', detail: { run: 'agent-2', executor: 7 } }),
    entry(3, 'e3', {
      op: 'agent_complete',
      task_id: 'a',
      actor: 'x',
      detail: { run: 'agent-1', outcome: 'done', usage, executor: 'codex' },
    }),
    entry(4, 'e4', { op: 'agent_complete', task_id: 'a', actor: 'agent-9', detail: { outcome: 'done' } }),
    entry(5, 'e5', { op: 'agent_complete', task_id: 'b', detail: { run: 'agent-2', outcome: 7, usage: 'x' } as never }),
    entry(6, 'e6', { op: 'log', task_id: 'a', detail: { run: 7 } as never }),
    entry(7, 'e7', {
      op: 'edit',
      patch: [
        { id: 'a', set: {} },
        { id: 'b', set: {} },
      ],
    }),
  ];
  expect(runsOfTask(entries, 'a')).toEqual([
    {
      run: 'agent-1',
      timestamp: AT,
      executor: 'codex',
      ended_at: AT,
      outcome: 'done',
      usage: { cost_usd: 1, input_tokens: 2 },
    },
  ]);
  expect(runsOfTask(entries, 'b')).toEqual([{ run: 'agent-2', timestamp: AT, ended_at: AT }]);
  expect([...tasksOfRuns(entries)]).toEqual([
    ['agent-1', 'a'],
    ['agent-2', 'b'],
  ]);
  expect(ids(entriesOf(entries, (id) => id === 'b'))).toBe('e2 e5 e7');
  const { detail, ...operation } = operationOf(entries[6] as Entry, 'a');
  expect(operation).toEqual({ seq: 7, timestamp: AT, op: 'edit' });
  expect(JSON.stringify(detail)).not.toContain('"b"');
  expect(operationOf(entries[0] as Entry, 'a').actor).toBe('agent-1');
  const time = (started_at?: string, completed_at?: string) =>
    ({
      kind: 'task',
      id: 't',
      title: 't',
      status: 'done',
      ...(started_at ? { started_at } : {}),
      ...(completed_at ? { completed_at } : {}),
    }) as Task;
  const at = (seconds: number) => new Date(Date.parse(AT) + seconds * 1_000).toISOString();
  expect(
    [time(at(0), at(1.5)), time(at(5), at(0)), time(at(0)), time(undefined, at(0)), time('x', at(0))].map(
      workedSeconds,
    ),
  ).toEqual([...[1.5, 0, null, null, null]]);
  const tree = [time(at(5), at(9)), time(at(0), at(2)), time()].map((task) => ({ task, depth: 0 }));
  const people = [
    entry(1, 'p', { op: 'edit', actor: 'ann' }),
    ...['add_task', 'model_call', 'model_settled'].map((op) => entry(1, op, { op, actor: 'ann' })),
  ];
  expect(totalsOf(tree, [...entries, ...people])).toEqual({
    tasks: 3,
    wall_clock_seconds: 9,
    work_seconds: 6,
    runs: 2,
    human_interventions: 3,
  });
  expect(totalsOf([], [])).toEqual({
    tasks: 0,
    wall_clock_seconds: null,
    work_seconds: 0,
    runs: 0,
    human_interventions: 0,
  });
});

test('the tree of a task goes round no cycle, and the first way to a task is the one that is told', () => {
  const view = graphOf(
    { id: 'a', after: ['b', 'a'] },
    { id: 'b', after: ['a'], parent: 'a' },
    { id: 'c', parent: 'a', created_by: 'agent-1' },
    { id: 'd', created_by: 'agent-2' },
  );
  const runs = new Map([
    ['agent-1', 'a'],
    ['agent-2', 'c'],
  ]);
  const told = treeOf(view, view.task('a') as Task, runs).map(({ task, depth, above, link }) => [
    task.id,
    depth,
    above,
    link,
  ]);
  expect(told).toEqual([
    ...[
      ['a', 0, undefined, undefined],
      ['b', 1, 'a', 'after'],
      ['c', 1, 'a', 'parent'],
      ['d', 2, 'c', 'created'],
    ],
  ]);
});

test('frames hold the tasks of the picture alone, and layers the tasks by what they come after', () => {
  const put = (seq: number, id: string, fields: object = {}) =>
    entry(seq, `e${seq}`, {
      op: 'add_task',
      task_id: id,
      actor: 'ann',
      patch: [{ id, put: { kind: 'task', id, title: id, status: 'open', ...fields } }],
    });
  const entries = [
    put(1, 'a'),
    put(2, 'z'),
    put(3, 'b', { after: ['a', 'z'] }),
    entry(4, 'e4', { op: 'log', task_id: 'a' }),
    entry(5, 'e5', {
      op: 'edit',
      patch: [
        { id: 'a', set: { status: 'done' } },
        { id: 'z', set: { status: 'done' } },
      ],
    }),
    entry(6, 'e6', { op: 'gc', patch: [{ id: 'b', del: true }] }),
  ];
  const { frames, left_out: leftOut } = framesOf(entries, new Set(['a', 'b']));
  expect(leftOut).toBe(0);
  const told = frames.map(({ seq, op, actor, tasks }) => [
    ...[seq, op, actor],
    tasks.map(({ id, status, after }) => `${id} ${status} ${after}`).join(', '),
  ]);
  expect(told).toEqual([
    [1, 'add_task', 'ann', 'a open '],
    [3, 'add_task', 'ann', 'a open , b open a'],
    [4, 'log', undefined, 'a open , b open a'],
    [5, 'edit', undefined, 'a done , b open a'],
    [6, 'gc', undefined, 'a done '],
  ]);
  expect(frames.slice(0, 3).map(({ task_id }) => task_id)).toEqual(['a', 'b', 'a']);
  const many = [
    put(1, 'a'),
    ...Array.from({ length: TEAM_LIMITS.traceFrames + 3 }, (_, index) =>
      entry(index + 2, `l${index}`, { op: 'log', task_id: 'a' }),
    ),
  ];
  const long = framesOf(many, new Set(['a']));
  expect([long.left_out, long.frames.length, long.frames[0]?.seq]).toEqual([4, TEAM_LIMITS.traceFrames, 5]);
  const layers = (...rows: [string, ...string[]][]) =>
    Object.fromEntries(frameLayers(rows.map(([id, ...after]) => ({ id, after }))));
  expect(layers(['c', 'a', 'b'], ['b', 'a'], ['a'], ['d', 'gone'])).toEqual({ a: 0, b: 1, c: 2, d: 0 });
  expect(layers(['a', 'b'], ['b', 'a'], ['c', 'b', 'c'])).toEqual({ a: 0, b: 1, c: 2 });
  expect(layers()).toEqual({});
});
