import { describe, expect, test } from 'vitest';
import { matchingTasks } from '#core/graph/archived.js';
import { automaticSummary } from '#core/graph/checkpoint.js';
import { handEdit } from '#core/graph/hand-edit.js';
import { storedFields } from '#core/graph/lib/fields.js';
import { graphText, modernTask, nodeLine } from '#core/graph/line.js';
import { packEvents } from '#core/graph/packing.js';
import { entryProblem } from '#core/graph/record-problem.js';
import type { GraphNode, Task } from '#core/graph/task.js';
import { LIMITS } from '#kernel/limits.js';

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
});

test('each event is filled up to what a line may hold, the first like the others', () => {
  const parcel = (id: string) => ({ patch: { id, set: { title: '' } } });
  const more = LIMITS.eventCharacters / 2 - JSON.stringify(parcel('a')).length;
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
