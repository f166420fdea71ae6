import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Retired } from '#core/graph/departed.js';
import type { Entry, Patch } from '#core/graph/event.js';
import { graphText, nodeLine } from '#core/graph/line.js';
import { LineView } from '#core/graph/line-view.js';
import { Outline } from '#core/graph/outline.js';
import { OutlineDraft } from '#core/graph/outline-draft.js';
import { GraphState } from '#core/graph/state.js';
import { type GraphNode, STATUSES } from '#core/graph/task.js';
import { fieldsOf } from '#core/graph/task-field.js';
import type { GraphView } from '#core/graph/view.js';
import { byId } from '#kernel/order.js';
import { mass } from '../../mass.js';

const ids = ['a', 'a-1', 'b"c', 'back\\slash', 'ü', '{"kind":"task","id":"a"}', '__proto__', 'x', 'a]b', '"],"'];
/** Those that walks over outlines ask for. */
const FIELDS = ['after_success', 'cycle_config', 'unplaced', 'exec', 'team'];
/** Empty lists and false are not written. */
const isThere = (value: unknown) => (Array.isArray(value) ? value.length > 0 : Boolean(value));
const RETIRED: readonly Retired[] = ['gone', { id: 'packed', to: 'archive', last: 'failed', seq: 3, batch: 3 }];
const everyId = [...ids, 'gone', 'packed', 'nobody'];
const before = fc.array(fc.constantFrom(...everyId), { maxLength: 3 });
const holders = fc.constantFrom('agent-4', 'agent-12', 'ann');
/** A snapshot from before the highest number of a run stood beside it has none. */
const lastRuns = fc.constantFrom(undefined, 12, 20);
const statuses = fc.constantFrom('open', 'open', 'done', ...STATUSES);
const nodes = fc.uniqueArray(
  fc.record(
    {
      kind: fc.constantFrom('task', 'task', 'task', 'weather'),
      id: fc.constantFrom(...ids),
      title: fc.constantFrom('Plain', 'says "a" and "x"', 'line\nfeed', ',"status":"done","after":["x"]'),
      status: statuses,
      after: before,
      after_success: before,
      // Fields of an estimate are anybody's, and come before those of the task.
      estimate: fc.constantFrom({ hours: 1 }, { hours: 2, after: ['x'], status: 'done' }),
      exec: fc.constant('make'),
      assigned: holders,
      last_run: holders.map((run) => ({ run })),
      paused: fc.boolean(),
      unplaced: fc.boolean(),
      completed_at: fc.constantFrom('2026-01-02T00:00:00.000Z', '2026-01-03T00:00:00.000Z'),
      ready_after: fc.constant('2026-02-01T00:00:00.000Z'),
      cycle_config: fc.constant({ max_iterations: 2 }),
    },
    { requiredKeys: ['kind', 'id', 'title', 'status'] },
  ),
  { selector: (node) => node.id, maxLength: ids.length },
);
/** One config and many questions are for the whole graph: half of the graphs have none. */
const graphs = fc.oneof(
  nodes,
  nodes.map((list) => list.map(({ cycle_config: _, ...rest }) => rest)),
);

const patch = fc.oneof(
  fc.record({ id: fc.constantFrom(...everyId), del: fc.constant(true as const) }),
  fc.record({ id: fc.constantFrom(...ids), set: fc.record({ status: statuses, assigned: holders }) }),
  fc
    .record({ id: fc.constantFrom(...everyId), after: before })
    .map(({ id, after }) => ({ id, put: { kind: 'task', id, title: 'Later', status: 'open', after } })),
);

const entriesOf = (patches: readonly unknown[]): Entry[] =>
  patches.map((one, index) => ({
    ...{ seq: 8 + index, id: `e${index}`, timestamp: '2026-01-01T00:00:00.000Z', op: 'edit' },
    patch: [one] as Patch[],
  }));

/** As it is kept beside a large snapshot with these nodes. */
function outlineOf(nodes: readonly GraphNode[]): Outline {
  const lines = nodes.map((node) => `${nodeLine(node)}\n`);
  const draft = new OutlineDraft(nodes);
  for (const line of lines) draft.add(Buffer.byteLength(line));
  const bytes = Buffer.from(lines.join(''));
  return new Outline(draft.columns(), (from, to) => bytes.toString('utf8', from, to));
}

test('a view made of lines and later entries says what a state made of the same says', () => {
  fc.assert(
    fc.property(graphs, fc.array(patch, { maxLength: 4 }), lastRuns, (list, patches, lastRun) => {
      const stateOf = (entries: readonly Entry[]) => {
        const state = new GraphState();
        state.load(list as unknown as GraphNode[], 7, { retired: RETIRED, lastRun });
        for (const entry of entries) state.apply(entry);
        return state;
      };
      const text = graphText(stateOf([]).nodes(), [], []);
      const entries = entriesOf(patches);
      const lines = { text: () => text, outline: undefined, seq: 7, retired: () => RETIRED, lastRun, whole: stateOf };
      const outlined = {
        ...lines,
        text: () => expect.unreachable('the text was searched'),
        outline: outlineOf(stateOf([]).nodesById()),
      };
      const state = stateOf(entries);
      const byEntry = entries.reduce((view, entry) => view.with(entry), new LineView(lines, []));
      for (const view of [new LineView(lines, entries), byEntry, new LineView(outlined, entries)]) {
        expect([...view.candidates()].sort()).toEqual([...state.candidates()].sort());
        expect([...view.runnable()].sort()).toEqual([...state.runnable()].sort());
        expect([view.seq, view.size, view.lastRun]).toEqual([state.seq, state.size, state.lastRun]);
        for (const id of everyId) {
          expect(view.readyAt(id)).toBe(state.readyAt(id));
          expect(view.node(id)?.id).toBe(state.node(id)?.id);
          expect(view.departed(id)).toEqual(state.departed(id));
          expect(view.task(id)?.status).toBe(state.task(id)?.status);
          expect([...view.dependents(id)].sort()).toEqual([...state.dependents(id)].sort());
          expect(view.wasUsed(id)).toBe(state.wasUsed(id));
        }
        for (const status of STATUSES) expect(view.count(status)).toBe(state.count(status));
        const outlines = (graph: GraphView) =>
          [...graph.outlines()].map(({ id, status, after }) => ({ id, status, after })).sort(byId);
        expect(outlines(view)).toEqual(outlines(state));
        for (const outline of view.outlines())
          for (const field of FIELDS)
            if (isThere(fieldsOf(state.task(outline.id))[field]))
              expect([field, outline.mayHave(field)]).toEqual([field, true]);
      }
    }),
    { numRuns: mass(100, 300) },
  );
});

test('what is asked of a few tasks never makes the whole graph', () => {
  const node = (id: string, more = {}) => ({ kind: 'task', id, title: id, status: 'open', ...more }) as GraphNode;
  const text = graphText(
    [node('a', { status: 'done' }), node('b', { after: ['a'] }), node('c', { after: ['b'] })],
    [],
    [],
  );
  const whole = () => expect.unreachable('the whole graph was made') as never;
  const lines = { text: () => text, outline: undefined, seq: 7, retired: () => RETIRED, lastRun: 3, whole };
  const view = new LineView(lines, entriesOf([{ id: 'd', put: node('d', { after: ['c'] }) }]));
  expect([...view.candidates()]).toEqual(['b']);
  expect([view.size, view.count('waiting'), view.mayIterate()]).toEqual([4, 0, false]);
  expect([view.wasUsed('d'), view.wasUsed('gone'), view.wasUsed('new')]).toEqual([true, true, false]);
  expect(view.departed('packed')).toMatchObject({ last: 'failed' });
  expect(view.dependents('c')).toEqual(['d']);
  expect([view.count('done'), view.count('open')]).toEqual([1, 3]);
  expect([...view.outlines()].map(({ id, after }) => [id, ...after].join(' '))).toEqual(['a', 'b a', 'c b', 'd c']);
  expect([...view.outlines()].map((outline) => outline.mayHave('after'))).toEqual([false, true, true, true]);
});

test('what is kept beside a snapshot tells its nodes apart without a line of it', () => {
  const node = (id: string, more = {}) => ({ kind: 'task', id, title: id, status: 'open', ...more }) as GraphNode;
  const nodes = [
    node('a', { status: 'done', exec: 'make' }),
    { kind: 'weather', id: 'b', status: 'open' } as unknown as GraphNode,
    node('c', { after: ['gone', 'a', 'a'], team: 'red' }),
    node('d', { after: ['c', 'gone'], after_success: ['c'] }),
  ];
  const outline = outlineOf(nodes);
  expect(outline.size).toBe(4);
  expect(['a', 'b', 'd', 'e', ''].map((id) => outline.lineOf(id)?.trimEnd())).toEqual([
    ...[nodes[0], nodes[1], nodes[3]].map((one) => one && nodeLine(one)),
    ...[undefined, undefined],
  ]);
  const rows = [...outline.rows()];
  expect(rows.map(({ id, status, after }) => [id, status, ...after].join(' '))).toEqual([
    ...['a done', 'c open gone a a', 'd open c gone'],
  ]);
  const having = (field: string) => rows.flatMap((row) => (row.mayHave(field) ? [row.id] : []));
  expect([having('team'), having('after_success'), having('cycle_config')]).toEqual([['c'], ['d'], []]);
  expect(having('exec'), 'of a field that is not kept any task may have one').toEqual(['a', 'c', 'd']);
  expect(['team', 'cycle_config', 'exec'].map((field) => outline.mayHave(field))).toEqual([true, false, true]);
  expect(['a', 'c', 'gone', 'd', 'b'].map((id) => outline.dependents(id))).toEqual([['c'], ['d'], ['c', 'd'], [], []]);
  const unheld = (...changed: [string, GraphNode['status']][]) => outline.unheld(new Map(changed) as never);
  expect([unheld(), unheld(['c', 'done']), unheld(['a', 'failed'])]).toEqual([['c'], ['c', 'd'], ['c']]);
  expect([unheld(['gone', 'open']), unheld(['a', 'open'], ['c', undefined])]).toEqual([[], ['d']]);
});
