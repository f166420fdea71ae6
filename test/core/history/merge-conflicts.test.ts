import { expect, test } from 'vitest';
import type { Entry } from '#core/graph/event.js';
import { GraphState } from '#core/graph/state.js';
import type { GraphNode } from '#core/graph/task.js';
import { fileDifferences, handEditEvents } from '#core/history/merge-conflicts.js';
import { asWritten, isByHand, versionsOf } from '#core/history/node-versions.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { graphOf } from '../graph/graph.js';

const task = (id: string, more: object = {}) => ({ kind: 'task', id, title: id, status: 'open', ...more }) as GraphNode;
const entry = (seq: number, id: string, set: object, op = 'edit'): Entry =>
  ({ seq, id: `e${seq}`, op, task_id: id, timestamp: `2026-03-0${seq}T00:00:00.000Z`, patch: [{ id, set }] }) as Entry;
const ADD = { ...entry(1, 'a', {}), op: 'add_task', patch: [{ id: 'a', put: task('a') }] } as Entry;

/** What the lines of a file add to a history of one task, `a`, whose title became B. */
function found(
  { lines = [], candidates = [] }: { lines?: GraphNode[]; candidates?: GraphNode[] },
  more: Partial<Parameters<typeof fileDifferences>[1]> = {},
) {
  const log = [ADD, entry(2, 'a', { title: 'B' })];
  const state = graphOf();
  for (const one of log) state.apply(one);
  const parsed = { nodes: new Map(lines.map((node) => [node.id, node])), candidates } as never;
  const differences = fileDifferences(parsed, {
    ...{
      lines: [log],
      begin: () => new GraphState(),
      present: (id) => state.node(id),
      renamed: new Map(),
      whole: false,
    },
    ...more,
  });
  return { differences, state, nodes: [...differences.nodes.values()], events: handEditEvents(differences, state) };
}

test('a line that is as it is, or as it once was, is no change', () => {
  expect(found({ lines: [task('a', { title: 'B', rev: 2 })] }).nodes).toEqual([]);
  expect(found({ lines: [task('a', { rev: 1 })] }).nodes, 'merely older').toEqual([]);
  expect(found({}).events).toEqual([]);
});

test('the fields that a person changed in a line win, over what has changed since', () => {
  const line = task('a', { rev: 1, status: 'blocked', description: 'D' });
  const { nodes, events } = found({ lines: [line] });
  expect(nodes).toMatchObject([{ id: 'a', title: 'B', status: 'blocked', description: 'D' }]);
  expect(events.map(({ op, detail }) => [op, detail])).toEqual([['hand_edit', { tasks: ['a'] }]]);
  expect(events[0]?.patch).toEqual([{ id: 'a', set: { status: 'blocked', description: 'D' } }]);
  expect(found({ lines: [line] }, { whole: true }).nodes).toMatchObject([{ title: 'a', status: 'blocked' }]);
});

test('a person’s line adds its log entries, and none is taken away', () => {
  const log = [{ timestamp: '2026-03-02T00:00:00.000Z', message: 'mine' }];
  expect(found({ lines: [task('a', { rev: 1, status: 'blocked', log })] }).nodes).toMatchObject([{ log }]);
  expect(found({ lines: [task('a', { rev: 1, status: 'blocked' })] }).nodes[0]).not.toHaveProperty('log');
});

test('a line of a conflict that is merely older is no change', () => {
  expect(found({ candidates: [task('a', { rev: 1 })] }).nodes).toEqual([]);
});

test('a line without a revision is compared with what is known now; a field that is gone from it is gone', () => {
  expect(found({ lines: [task('a', { title: 'C' })] }).nodes).toMatchObject([{ title: 'C', rev: 2 }]);
  const log = [ADD, entry(2, 'a', { title: 'B', description: 'D' })];
  const state = graphOf();
  for (const one of log) state.apply(one);
  const { nodes } = found(
    { lines: [task('a', { title: 'C', rev: 2 })] },
    { lines: [log], present: (id) => state.node(id) },
  );
  expect(nodes[0]).not.toHaveProperty('description');
});

test('a task that nobody knows is a person’s, whole', () => {
  const { nodes, events } = found({ lines: [task('new', { title: 'N' })] });
  expect(nodes).toMatchObject([{ id: 'new', title: 'N' }]);
  expect(events[0]?.patch).toMatchObject([{ id: 'new', put: { title: 'N' } }]);
});

test('a line from before the log began is merely older', () => {
  const base = { ...entry(5, 'a', {}), op: 'base' } as Entry;
  const lines = [[base]];
  const begin = () => graphOf({ id: 'a', title: 'B', rev: 4 });
  expect(found({ lines: [task('a', { title: 'old', rev: 3 })] }, { lines, begin }).nodes).toEqual([]);
  expect(found({ lines: [task('a', { title: 'new', rev: 5 })] }, { lines, begin }).nodes).toHaveLength(1);
  const odd = found({ lines: [task('a', { title: 'old', rev: '3' })] }, { lines, begin });
  expect(odd.nodes, 'a revision that is no number').toHaveLength(1);
});

test('lines of a conflict are one more side, and what they say against another is told', () => {
  const alone = found({ candidates: [task('new', { title: 'N' })] });
  expect(alone.nodes).toMatchObject([{ id: 'new', title: 'N' }]);
  const side = task('a', { title: 'mine', description: 'D', created_at: '2020-01-01T00:00:00.000Z' });
  const { nodes, differences, events } = found({ candidates: [side, task('a', { rev: 1 })] });
  expect(nodes).toMatchObject([{ id: 'a', description: 'D' }]);
  expect(differences.lost.length).toBeGreaterThan(0);
  expect(events[0]?.detail).toMatchObject({ tasks: ['a'], lost: differences.lost });
});

test('lost values are told once, also where the lines do not fit into one event', () => {
  const long = (id: string) => task(id, { title: id, description: 'x'.repeat(WORK_LIMITS.eventCharacters / 2) });
  const side = task('a', { title: 'mine', created_at: '2020-01-01T00:00:00.000Z' });
  const { differences, events } = found({ lines: [long('b'), long('c'), long('d')], candidates: [side] });
  expect(differences.lost.length).toBeGreaterThan(0);
  expect(events.map(({ detail }) => detail)).toEqual([
    { tasks: ['b'], lost: differences.lost },
    { tasks: ['c'] },
    { tasks: ['d', 'a'] },
  ]);
});

test('looks that a task had under the id that a merge took from it are its own', () => {
  const log = [ADD, entry(2, 'a', { title: 'B' })];
  const state = graphOf({ id: 'a-2', title: 'B', rev: 2 });
  const renamed = new Map([['a', 'a-2']]);
  const known = { lines: [log], present: (id: string) => state.node(id), renamed };
  expect(found({ lines: [task('a-2', { title: 'a', rev: 1 })] }, known).nodes, 'merely older').toEqual([]);
  expect(found({ lines: [task('a-2', { title: 'Z', rev: 1 })] }, known).nodes).toHaveLength(1);
});

test('the looks of tasks, in each history, from where it begins', () => {
  const log = [ADD, entry(2, 'a', { title: 'B' }), entry(3, 'z', {})];
  const titles = (begin: () => GraphState, ids: string[]) =>
    [...versionsOf([log, log.slice(0, 1)], new Set(ids), begin)].map(([id, looks]) => [
      id,
      looks.map((look) => look['title']),
    ]);
  expect(titles(() => graphOf({ id: 'z' }), ['a', 'z'])).toEqual([
    ['z', ['z', 'z', 'z']],
    ['a', ['a', 'B', 'a']],
  ]);
  expect(titles(() => graphOf({ id: 'z' }), ['none'])).toEqual([]);
  expect(asWritten(task('a', { tags: [] }))).not.toHaveProperty('tags');
});

test('a line that a merge makes of two looks is not a person’s', () => {
  const at = (time: string, more: object) =>
    task('a', { ...more, created_at: '2026-03-01T00:00:00.000Z', started_at: time });
  const [base, ours, theirs] = [
    task('a', { created_at: '2026-03-01T00:00:00.000Z' }),
    at('2026-03-02T00:00:00.000Z', { title: 'T' }),
    task('a', { created_at: '2026-03-01T00:00:00.000Z', description: 'D' }),
  ];
  expect(isByHand(base, [base, ours, theirs])).toBe(false);
  expect(isByHand({ ...ours, description: 'D' } as GraphNode, [base, ours, theirs])).toBe(false);
  expect(isByHand({ ...ours, description: 'E' } as GraphNode, [base, ours, theirs])).toBe(true);
  expect(isByHand(base, [])).toBe(true);
});
