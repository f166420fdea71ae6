import { expect, test } from 'vitest';
import { LazyGraph } from '#adapters/store/lazy-graph.js';
import type { Entry, Patch } from '#core/graph/event.js';
import { graphText } from '#core/graph/line.js';
import { GraphState } from '#core/graph/state.js';
import type { GraphNode } from '#core/graph/task.js';

const node = (id: string) => ({ kind: 'task', id, title: id, status: 'open' }) as GraphNode;
const entry = (seq: number, patch: unknown): Entry => ({
  ...{ seq, id: `e${seq}`, timestamp: '2026-01-01T00:00:00.000Z', op: 'edit' },
  patch: [patch as Patch],
});

function graphOf(...nodes: GraphNode[]) {
  let made = 0;
  const stateOf = (entries: readonly Entry[]) => {
    made++;
    const state = new GraphState();
    state.load(nodes, 7, { retired: ['gone'] });
    for (const one of entries) state.apply(one);
    return state;
  };
  const lines = {
    text: () => graphText(nodes, [], []),
    outline: undefined,
    seq: 7,
    retired: () => ['gone'],
    lastRun: 0,
  };
  return { graph: LazyGraph.from({ lines, stateOf, retiredSeq: 3 }, []), made: () => made };
}

const ids = (nodes: Iterable<{ readonly id: string }>) => [...nodes].map(({ id }) => id).sort();

test('a task is added, and what is free is told, without the whole graph', () => {
  const { graph, made } = graphOf(node('a'));
  graph.apply(entry(8, { id: 'b', put: node('b') }));
  expect([...graph.view().candidates()].sort()).toEqual(['a', 'b']);
  expect([graph.seq, graph.size, graph.retiredSeq, made()]).toEqual([8, 2, 3, 0]);
});

test('the whole is made once, for views and for what is decided', () => {
  const { graph, made } = graphOf(node('a'));
  expect([...graph.view().waiting()]).toEqual([]);
  expect(graph.present).toBe(graph.whole);
  graph.apply(entry(8, { id: 'b', put: node('b') }));
  expect(ids(graph.view().nodes())).toEqual(['a', 'b']);
  expect(made()).toBe(1);
});

test('all nodes are walked over without the whole graph, with what changed since', () => {
  const { graph, made } = graphOf(node('a'), node('b'), node('c'));
  graph.apply(entry(8, { id: 'b', set: { title: 'B' } }));
  graph.apply(entry(9, { id: 'd', put: node('d') }));
  const view = graph.view();
  for (let walk = 0; walk < 2; walk++) {
    expect(ids(view.nodes())).toEqual(['a', 'b', 'c', 'd']);
    expect([...view.nodes()].find(({ id }) => id === 'b')).toMatchObject({ title: 'B' });
  }
  expect([view.node('b'), view.node('c'), view.node('e'), made()]).toMatchObject([
    { title: 'B' },
    { id: 'c' },
    undefined,
    0,
  ]);
  graph.apply(entry(10, { id: 'a', set: { title: 'A' } }));
  expect(ids(graph.view().nodes())).toEqual(['a', 'b', 'c', 'd']);
});

test('a view stays as it was, whatever is asked of it after a change', () => {
  const { graph } = graphOf(node('a'));
  const before = graph.view();
  graph.apply(entry(8, { id: 'b', put: node('b') }));
  expect(ids(before.nodes())).toEqual(['a']);
  graph.apply(entry(9, { id: 'a', del: true }));
  expect([before.node('a')?.id, before.seq]).toEqual(['a', 7]);
  expect(ids(graph.view().nodes())).toEqual(['b']);
});

test('an id that goes out of use, or comes back into it, counts from then on', () => {
  for (const patch of [
    { id: 'a', del: true },
    { id: 'gone', put: node('gone') },
  ]) {
    const { graph } = graphOf(node('a'));
    graph.apply(entry(8, patch));
    expect(graph.retiredSeq).toBe(8);
  }
});
