import { expect, test } from 'vitest';
import { decide } from '#core/coordinator/parts.js';
import { placementBlocks, placementIn } from '#core/coordinator/placing.js';
import { taskOf } from '#core/graph/task-of.js';
import { verifies } from '../../verifies.js';
import { type Answer, apply, graphOf, NOW, said, snapshot } from './stage.js';

const NEW = { id: 'new', unplaced: true, inputs: ['api.md'] };

/** What a pass makes of a new task, when a model may be asked and this is known of the question. */
function pass(answer?: Answer, underWay = false) {
  const graph = graphOf({ id: 'design', deliverables: ['api.md'] }, { id: 'ship' }, NEW as never);
  const key = 'place new';
  const errands = {
    underWay: new Set(underWay ? [key] : []),
    answers: new Map(answer ? [[key, answer]] : []),
  };
  const decisions = decide(snapshot(graph, { placing: true, errands }), NOW);
  apply(graph, decisions);
  return { decisions: said(decisions), task: graph.task('new'), ship: graph.task('ship') };
}

verifies(
  ['place.auto', 'graph.place.auto'],
  'a model is asked once, without a lock; its answer becomes edges with the next tick',
  () => {
    const asked = pass();
    expect(asked.decisions).toEqual(['ask-place']);
    expect(asked.task?.['unplaced']).toBe(true);
    expect(pass(undefined, true).decisions, 'it is asked already').toEqual([]);
    const placed = pass({ of: 'place', after: ['design', 'ghost'], before: ['ship', 'design'] });
    expect(placed.task).toMatchObject({ after: ['design'] });
    expect(placed.task).not.toHaveProperty('unplaced');
    expect(placed.ship?.after).toEqual(['new']);
  },
);

verifies(
  ['place.auto', 'graph.place.auto'],
  'one failed question releases it where it stands; without a model rules say where it belongs',
  () => {
    const failed = pass({ of: 'error', text: 'It took longer.' });
    expect(failed.task).not.toHaveProperty('unplaced');
    expect(failed.task?.after).toBeUndefined();
    expect(pass({ of: 'place', after: [], before: [], byRules: 'There is no model.' }).task?.after).toEqual(['design']);
  },
);

test('an answer is taken only in the form that was asked for', () => {
  expect(placementIn('It goes here: {"after":["a"],"before":[]}. Good luck.')).toEqual({
    of: 'place',
    after: ['a'],
    before: [],
  });
  const bad = ['nowhere', '{"after":["a"]}', '{"after":"a","before":[]}', '{"after":[],"before":[],"exec":"rm"}'];
  for (const answer of bad) expect(placementIn(answer), answer).toBeUndefined();
  expect(placementIn(JSON.stringify({ after: Array(51).fill('a'), before: [] }))).toBeUndefined();
});

test('what a model is shown of a new task, and of work that is not over', () => {
  const graph = graphOf(
    { id: 'new', title: 'New', description: 'Do it', inputs: ['i.txt'], deliverables: ['d.txt'], place_near: ['a'] },
    { id: 'a', title: 'A', after: ['b', 'done'] },
    { id: 'b', title: 'B' },
    { id: 'done', status: 'done' },
    { id: 'gpu', kind: 'resource' } as never,
  );
  const shown = (id: string) =>
    placementBlocks(graph, taskOf(graph, id)).map(({ label, text }) => [label, ...text.split('\n')]);
  expect(shown('new')).toEqual([
    ['the new task', 'new  New', 'Do it', 'reads: i.txt', 'produces: d.txt', 'wanted near: a'],
    expect.arrayContaining(['the other tasks', 'a  A  after b, done', 'b  B']),
  ]);
  expect(shown('new')[1], 'no more of them').toHaveLength(3);
  expect(shown('b')[0]).toEqual(['the new task', 'b  B']);
});
