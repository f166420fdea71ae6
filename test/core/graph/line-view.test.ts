import fc from 'fast-check';
import { expect, test } from 'vitest';
import { graphText } from '#core/graph/line.js';
import { LineView } from '#core/graph/line-view.js';
import { GraphState } from '#core/graph/state.js';
import { type GraphNode, STATUSES } from '#core/graph/task.js';

const ids = ['a', 'a-1', 'b"c', 'back\\slash', 'ü', '{"kind":"task","id":"a"}', '__proto__', 'x'];
const nodes = fc.uniqueArray(
  fc.record({
    kind: fc.constantFrom('task', 'task', 'task', 'weather'),
    id: fc.constantFrom(...ids),
    title: fc.constantFrom('Plain', 'says "a" and "x"', 'line\nfeed'),
    status: fc.constantFrom(...STATUSES),
    after: fc.array(fc.constantFrom(...ids, 'nobody'), { maxLength: 4 }),
  }),
  { selector: (node) => node.id, maxLength: ids.length },
);

test('a view made of lines says what a state made of the same nodes says', () => {
  fc.assert(
    fc.property(nodes, (list) => {
      const state = new GraphState();
      state.load(list as unknown as GraphNode[], 7);
      const view = new LineView(graphText(state.nodes(), [], []), 7, () => state.freeze());
      expect([view.seq, view.size]).toEqual([state.seq, state.size]);
      for (const id of [...ids, 'nobody']) {
        expect(view.node(id)?.id).toBe(state.node(id)?.id);
        expect(view.task(id)?.status).toBe(state.task(id)?.status);
        expect([...view.dependents(id)].sort()).toEqual([...state.dependents(id)].sort());
        expect(view.wasUsed(id)).toBe(state.wasUsed(id));
        expect(view.readyAt(id)).toBe(state.readyAt(id));
      }
      expect([...view.candidates()].sort()).toEqual([...state.candidates()].sort());
      for (const status of STATUSES) expect(view.count(status)).toBe(state.count(status));
    }),
    { numRuns: 300 },
  );
});
