import { expect } from 'vitest';
import type { Task } from '#core/graph/task.js';
import { mergeGraphs, type Nodes, type Side } from '#core/history/merge-graphs.js';
import { verifies } from '../../verifies.js';
import type { TaskFields } from '../graph/graph.js';

type Part = TaskFields & { id: string };

function nodes(...tasks: Part[]): Nodes {
  return new Map(tasks.map((task) => [task.id, { kind: 'task', title: task.id, status: 'open', ...task } as Task]));
}

function side(present: Nodes, at: number, retired: readonly string[] = []): Side {
  return { nodes: present, touched: () => at, retired: (id) => retired.includes(id) };
}

/** Merges with theirs being the later side, unless said otherwise. */
function merge(base: Nodes, ours: Nodes, theirs: Nodes, at = { ours: 1_000, theirs: 2_000 }) {
  return mergeGraphs({ nodes: base, retired: () => false }, side(ours, at.ours), side(theirs, at.theirs));
}

verifies('graph.store.merge', 'what one side changed counts, in the same task too', () => {
  const merged = merge(
    nodes({ id: 'a' }, { id: 'b' }, { id: 'c' }),
    nodes({ id: 'a', title: 'L' }, { id: 'b' }, { id: 'c' }),
    nodes({ id: 'a', tags: ['r'] }, { id: 'b', status: 'done', completed_at: '2026-01-01T00:00:00Z' }),
  );
  expect(merged.nodes.get('a')).toMatchObject({ title: 'L', tags: ['r'] });
  expect(merged.nodes.get('b')).toMatchObject({ status: 'done', completed_at: '2026-01-01T00:00:00Z' });
  expect(merged.nodes.has('c')).toBe(false);
  expect(merged.lost).toEqual([]);
});

verifies(
  'graph.store.merge',
  'an id that was retired on one side and used again on the other is another task, not a restored one',
  () => {
    const [none, again] = [nodes(), nodes({ id: 'a' })];
    const merged = (retiredBefore: boolean) =>
      mergeGraphs({ nodes: none, retired: () => retiredBefore }, side(none, 1_000, ['a']), side(again, 2_000));
    expect([...merged(false).renamed]).toEqual([['a', 'a-2']]);
    expect([...merged(true).renamed], 'restored').toEqual([]);
  },
);

verifies('graph.store.merge', 'lists take both sides’ additions and removals', () => {
  const merged = merge(
    nodes({ id: 'a', tags: ['x', 'y', 'z'], after: ['p'] }),
    nodes({ id: 'a', tags: ['x', 'z', 'left'], after: ['p', 'q'] }),
    nodes({ id: 'a', tags: ['y', 'right', 'z'], after: [] }),
  );
  expect(merged.nodes.get('a')?.['tags']).toEqual(['z', 'left', 'right']);
  expect(merged.nodes.get('a')?.['after']).toEqual(['q']);
});

verifies('graph.store.merge', 'logs are both sides’ entries by time, each once; counters are the larger', () => {
  const entry = (second: number, message: string) => ({ timestamp: `2026-01-01T00:00:0${second}.000Z`, message });
  const usage = (input: number, output: number) => ({ input_tokens: input, output_tokens: output });
  const merged = merge(
    nodes({ id: 'a', log: [entry(1, 'both')], retry_count: 1, fence: 1, token_usage: usage(1, 1) }),
    nodes({
      id: 'a',
      log: [entry(1, 'both'), entry(4, 'left')],
      retry_count: 3,
      fence: 2,
      token_usage: usage(9, 2),
    }),
    nodes({
      id: 'a',
      log: [entry(1, 'both'), entry(2, 'right'), entry(4, 'left')],
      retry_count: 2,
      fence: 4,
      token_usage: usage(3, 7),
    }),
  );
  const task = merged.nodes.get('a') as Task;
  expect(task.log?.map((item) => item.message)).toEqual(['both', 'right', 'left']);
  expect(task).toMatchObject({ retry_count: 3, fence: 4, token_usage: { input_tokens: 9, output_tokens: 7 } });
  expect(merged.lost).toEqual([]);
});

verifies(
  'graph.store.merge',
  'a line that was logged twice stays twice, as often as the side that has it more often',
  () => {
    const entry = (message: string) => ({ timestamp: '2026-01-01T00:00:01.000Z', actor: 'ann', message });
    const log = (...words: string[]) => nodes({ id: 'a', log: words.map(entry) });
    const messages = (ours: Nodes, theirs: Nodes) =>
      (merge(log('x'), ours, theirs).nodes.get('a') as Task).log?.map(({ message }) => message);
    expect(messages(log('x', 'x', 'l'), log('x', 'r'))).toEqual(['x', 'x', 'l', 'r']);
    expect(messages(log('x', 'l'), log('x', 'x', 'x', 'r'))).toEqual(['x', 'l', 'x', 'x', 'r']);
    expect(messages(log('x', 'x', 'l'), log('x', 'x', 'r'))).toEqual(['x', 'x', 'l', 'r']);
  },
);

verifies(
  'graph.store.merge',
  'status comes with all that belongs to it, from the later side; the loser is kept',
  () => {
    const failed: Part = { id: 'a', status: 'failed', failure_reason: 'no disk', assigned: 'ann', title: 'T' };
    const done: Part = { id: 'a', status: 'done', completed_at: '2026-01-02T00:00:00.000Z', title: 'T' };
    const base = nodes({ id: 'a', title: 'T' });
    const later = merge(base, nodes(failed), nodes(done));
    expect(later.nodes.get('a')).toMatchObject({ status: 'done', completed_at: done.completed_at });
    expect(later.nodes.get('a')).not.toHaveProperty('failure_reason');
    expect(later.nodes.get('a')).not.toHaveProperty('assigned');
    expect(later.lost).toEqual([
      {
        id: 'a',
        field: 'status',
        side: 'ours',
        value: { status: 'failed', failure_reason: 'no disk', assigned: 'ann' },
      },
    ]);
    const [note] = (later.nodes.get('a') as Task).log ?? [];
    expect(note).toMatchObject({ actor: 'merge', message: expect.stringContaining('no disk') });
    const earlier = merge(base, nodes(failed), nodes(done), { ours: 3_000, theirs: 2_000 });
    expect(earlier.nodes.get('a')).toMatchObject({ status: 'failed', failure_reason: 'no disk' });
    expect(earlier.nodes.get('a')).not.toHaveProperty('completed_at');
  },
);

verifies('graph.store.merge', 'of two texts the later one stands, the other is in detail and log', () => {
  const merged = merge(
    nodes({ id: 'a', title: 'A', description: 'old' }),
    nodes({ id: 'a', title: 'L', description: 'mine' }),
    nodes({ id: 'a', title: 'R' }),
  );
  expect(merged.nodes.get('a')).toMatchObject({ title: 'R' });
  expect(merged.lost).toEqual([
    { id: 'a', field: 'title', side: 'ours', value: 'L' },
    { id: 'a', field: 'description', side: 'ours', value: 'mine' },
  ]);
  const text = JSON.stringify((merged.nodes.get('a') as Task).log);
  expect(text).toContain('title was L');
  expect(text).toContain('description was mine');
});

verifies('graph.store.merge', 'removed on one side, changed on the other: kept', () => {
  const base = nodes({ id: 'a' }, { id: 'b' });
  const merged = merge(base, nodes({ id: 'b', title: 'new' }), nodes({ id: 'a' }));
  expect([...merged.nodes.keys()]).toEqual(['b']);
  expect(merged.revived).toEqual(['b']);
});

verifies('graph.store.merge', 'one new id for two things: theirs gets a suffix and what it says follows', () => {
  const merged = merge(
    nodes({ id: 'old' }),
    nodes({ id: 'old' }, { id: 'new-x', title: 'Left' }, { id: 'l', after: ['new-x'] }, { id: 'same', tags: ['l'] }),
    nodes(
      { id: 'old', after: ['new-x'] },
      { id: 'new-x', title: 'Right' },
      { id: 'new-x-2', title: 'Taken' },
      {
        id: 'r',
        after: ['new-x'],
        after_success: ['new-x'],
        parent: 'new-x',
        cycle_config: { max_iterations: 2, guard: { TaskStatus: { task: 'new-x', status: 'failed' } } },
      },
      { id: 'same', tags: ['r'] },
    ),
  );
  expect(merged.nodes.get('new-x')?.['title']).toBe('Left');
  expect(merged.nodes.get('new-x-2')?.['title']).toBe('Taken');
  expect(merged.nodes.get('new-x-3')?.['title']).toBe('Right');
  expect(merged.nodes.get('old')?.['after']).toEqual(['new-x-3']);
  expect(merged.nodes.get('l')?.['after']).toEqual(['new-x']);
  expect(merged.nodes.get('r')).toMatchObject({
    after: ['new-x-3'],
    after_success: ['new-x-3'],
    parent: 'new-x-3',
    cycle_config: { guard: { TaskStatus: { task: 'new-x-3' } } },
  });
  expect(merged.nodes.get('same')?.['tags']).toEqual(['l', 'r']);
  expect(merged.renamed).toEqual(new Map([['new-x', 'new-x-3']]));
});

verifies('graph.task.unknown', 'unknown fields and kinds are merged like any other', () => {
  const other = (extra: object) => new Map([['w', { kind: 'weather', id: 'w', ...extra }]]) as Nodes;
  const merged = merge(
    other({ wind: 1, rain: 2 }),
    other({ wind: 5, rain: 2 }),
    other({ wind: 1, rain: 2, sun: true }),
  );
  expect(merged.nodes.get('w')).toEqual({ kind: 'weather', id: 'w', wind: 5, rain: 2, sun: true });
});
