import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addTask } from '#core/graph/add.js';
import { editTask } from '#core/graph/edit.js';
import { belowOf, partsOf, progressOf } from '#core/graph/epic.js';
import { parseGraph } from '#core/graph/line.js';
import { doneTask, failTask } from '#core/graph/moves.js';
import { readiness } from '#core/graph/ready.js';
import type { GraphState } from '#core/graph/state.js';
import { taskOf } from '#core/graph/task-of.js';
import { forArchive, removeTasks } from '#core/history/departures.js';
import { dotText, mermaidText } from '#core/insight/text-formats.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { refusalOf } from '../../refusal.js';
import { verifies } from '../../verifies.js';
import { ann, commit, graphOf, NOW } from './graph.js';

const add = (graph: GraphState, id: string, fields: object = {}) =>
  commit(graph, addTask(graph, { title: id, id, ...fields }, { now: NOW, actor: 'ann' }));
const edit = (graph: GraphState, id: string, fields: object) => commit(graph, editTask(graph, id, fields, { by: ann }));
const done = (graph: GraphState, id: string) => commit(graph, doneTask(graph, id, { now: NOW, by: ann }));

verifies('graph.parent', 'an epic waits for its parts, and its progress counts the tasks below it at any depth', () => {
  const graph = graphOf({ id: 'shop', token_usage: { cost_usd: 0.5 } });
  add(graph, 'pay', { epic: 'shop' });
  add(graph, 'card', { epic: 'pay' });
  add(graph, 'bank', { epic: 'pay' });
  add(graph, 'cart', { epic: 'shop', after: ['card'] });
  expect(graph.task('shop')?.after).toEqual(['pay', 'cart']);
  expect(graph.task('cart')).toMatchObject({ epic: 'shop', after: ['card'] });
  expect(graph.task('cart')?.parent).toBeUndefined();
  expect(readiness(graph, 'shop', NOW)).toMatchObject({ ready: false });
  done(graph, 'card');
  commit(graph, failTask(graph, 'bank', { now: NOW, by: ann }));
  expect(progressOf(graph, taskOf(graph, 'shop'))).toEqual({ done: 1, total: 3, cost_usd: 0.5 });
  expect(progressOf(graph, taskOf(graph, 'card'))).toBeUndefined();
  expect([...belowOf(graph, taskOf(graph, 'shop')).keys()].sort()).toEqual(['bank', 'card', 'cart', 'pay']);
  done(graph, 'pay');
  done(graph, 'cart');
  expect(readiness(graph, 'shop', NOW)).toMatchObject({ ready: true });
});

verifies('graph.parent', 'a part moves to another epic, leaves it, and is not lost by the way', () => {
  const graph = graphOf({ id: 'one' }, { id: 'two' }, { id: 'x' });
  edit(graph, 'x', { epic: 'one' });
  expect(edit(graph, 'x', { epic: 'one' })).toMatchObject({ changed: false });
  expect(refusalOf(() => edit(graph, 'one', { remove_after: ['x'] })).message).toBe(
    'x is a part of one, which therefore waits for it.',
  );
  edit(graph, 'x', { epic: 'two' });
  expect(graph.task('one')?.after).toBeUndefined();
  expect(partsOf(graph, taskOf(graph, 'two')).map(({ id }) => id)).toEqual(['x']);
  edit(graph, 'x', { clear: ['parent'] });
  expect(graph.task('x')?.epic).toBeUndefined();
  expect(graph.task('two')?.after).toBeUndefined();
});

verifies('graph.parent', 'a circle, a missing or archived epic, and one that can no longer wait are refused', () => {
  const graph = graphOf(
    ...[{ id: 'a' }, { id: 'b' }, { id: 'c' }, { id: 'over', status: 'done' as const }],
    ...[{ id: 'busy', status: 'in-progress' as const, assigned: 'agent-1' }, { id: 'gone' }],
    { id: 'full', after: Array.from({ length: WORK_LIMITS.edgesPerTask }, (_, index) => `t${index}`) },
  );
  edit(graph, 'b', { epic: 'a' });
  edit(graph, 'c', { epic: 'b' });
  const told = (id: string, epic: string) => refusalOf(() => edit(graph, id, { epic })).message;
  expect(told('a', 'c')).toBe('c is a part of a already.');
  expect(told('a', 'a')).toBe('a cannot be a part of itself.');
  expect(told('a', 'nowhere')).toBe('There is no task nowhere.');
  expect(told('a', 'over')).toBe('over is done, so it can no longer wait for a new part.');
  expect(told('a', 'busy')).toBe('busy is in-progress, so it can no longer wait for a new part.');
  expect(told('a', 'full')).toContain('depends on 1000 tasks already');
  expect(refusalOf(() => add(graph, 'late', { epic: 'a', after: ['a'] })).message).toBe(
    'late cannot be a part of a and wait for it: an epic waits for its parts.',
  );
  commit(graph, removeTasks([taskOf(graph, 'gone')], 'archive', 'ann'));
  expect(told('a', 'gone')).toContain('gone is archived');
});

verifies('graph.parent', 'an epic is not archived before its parts are finished', () => {
  const graph = graphOf({ id: 'e', status: 'abandoned', after: ['x'] }, { id: 'x', epic: 'e' });
  expect(refusalOf(() => forArchive(graph, { ids: ['e'] })).message).toBe(
    'e cannot be archived: x is a part of it and not finished.',
  );
  expect(forArchive(graph, {})).toEqual([]);
});

verifies('graph.parent', 'epics that a hand edit made parts of one another end every walk', () => {
  const ids = fc.constantFrom('a', 'b', 'c', 'd');
  const fields = fc.record({ epic: fc.option(ids, { nil: undefined }), after: fc.uniqueArray(ids) });
  fc.assert(
    fc.property(fc.tuple(fields, fields, fields, fields), (all) => {
      const tasks = all.map(({ epic, after }, index) => ({
        ...{ id: 'abcd'.charAt(index), after },
        ...(epic === undefined ? {} : { epic }),
      }));
      const graph = graphOf(...tasks);
      for (const { id } of tasks) {
        const progress = progressOf(graph, taskOf(graph, id));
        expect(progress?.total ?? 0).toBeLessThan(4);
        expect(belowOf(graph, taskOf(graph, id)).has(id)).toBe(false);
      }
      const nodes = tasks.map(({ id, epic }) => ({ id, title: id, state: 'open' as const, epic }));
      expect(dotText({ nodes, edges: [] }).split('{').length).toBe(dotText({ nodes, edges: [] }).split('}').length);
    }),
  );
});

verifies('graph.parent', 'drawings for other programs show an epic around its parts, with foreign text inert', () => {
  const nodes = [
    { id: 'e', title: 'Shop "];', state: 'open' as const },
    { id: 'x', title: 'X', state: 'done' as const, epic: 'e' },
    { id: 'y', title: 'Y', state: 'open' as const, epic: 'x' },
  ];
  const dot = dotText({ nodes, edges: [] });
  expect(dot).toContain('subgraph cluster_t0 {');
  expect(dot).toContain('label="Shop \\"];"');
  expect(dot.replaceAll(/ +/g, ' ')).toContain('subgraph cluster_t1 {');
  const mermaid = mermaidText({ nodes, edges: [] });
  expect(mermaid).toContain('subgraph et0["Shop #34;#93;#59;"]');
  expect(mermaid.match(/^ *end$/gm)).toHaveLength(2);
});

test('a project of an earlier version keeps an epic that it does not know, and one that is no text is named', () => {
  const line = '{"kind":"task","id":"x","title":"X","status":"open","epic":["e"]}';
  expect(parseGraph(`${line}\n`).bad).toMatchObject([{ line: 1 }]);
});
