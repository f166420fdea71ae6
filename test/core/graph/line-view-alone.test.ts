import { expect, test } from 'vitest';
import type { Entry, Patch } from '#core/graph/event.js';
import { graphText } from '#core/graph/line.js';
import { LineView } from '#core/graph/line-view.js';
import type { GraphState } from '#core/graph/state.js';
import type { Status } from '#core/graph/task.js';
import { graphOf } from './graph.js';

const entry = (patch: Patch) => ({ seq: 2, id: 'e', timestamp: '', op: 'edit', patch: [patch] }) as unknown as Entry;

const viewOf = (state: GraphState, ...entries: Entry[]) =>
  new LineView(
    {
      text: () => graphText(state.nodes(), [], []),
      outline: undefined,
      seq: 1,
      retired: () => [],
      lastRun: 0,
      whole: () => expect.unreachable('the whole graph was asked for'),
    },
    entries,
  );

test('what comes after a task is read from the lines, as later entries left them, without the whole graph', () => {
  const state = graphOf(
    { id: 'a' },
    { id: 'b', after: ['a'] },
    { id: 'c', title: 'says "a"' },
    { id: 'd', after: ['a'] },
  );
  const view = (...entries: Entry[]) => viewOf(state, ...entries);
  expect(view().dependents('a')).toEqual(['b', 'd']);
  const taken = view(entry({ id: 'b', set: { after: ['c'] } }));
  expect([taken.dependents('a'), taken.dependents('c')]).toEqual([['d'], ['b']]);
  expect(view(entry({ id: 'c', set: { after: ['a'] } })).dependents('a')).toEqual(['b', 'd', 'c']);
  expect(view().mayIterate()).toBe(false);
});

test('who is free is read from the lines, as later entries left what they come after', () => {
  const view = (status: Status, ...entries: Entry[]) =>
    [...viewOf(graphOf({ id: 'a', status }, { id: 'b', after: ['a'] }), ...entries).candidates()].sort();
  expect(view('open')).toEqual(['a']);
  expect(view('done')).toEqual(['b']);
  expect(view('open', entry({ id: 'a', set: { status: 'done' } }))).toEqual(['b']);
  expect(view('done', entry({ id: 'a', set: { status: 'in-progress' } }))).toEqual([]);
});
