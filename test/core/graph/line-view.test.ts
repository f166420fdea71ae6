import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Patch } from '#core/graph/event.js';
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

const patch = fc.oneof(
  fc.record({ id: fc.constantFrom(...ids), del: fc.constant(true as const) }),
  fc.record({ id: fc.constantFrom(...ids), set: fc.record({ status: fc.constantFrom(...STATUSES) }) }),
  fc
    .record({ id: fc.constantFrom(...ids), after: fc.array(fc.constantFrom(...ids), { maxLength: 3 }) })
    .map(({ id, after }) => ({ id, put: { kind: 'task', id, title: 'Later', status: 'open', after } })),
);

test('a view made of lines and later entries says what a state made of the same says', () => {
  fc.assert(
    fc.property(nodes, fc.array(patch, { maxLength: 4 }), (list, patches) => {
      const state = new GraphState();
      state.load(list as unknown as GraphNode[], 7);
      const text = graphText(state.nodes(), [], []);
      const entries = patches.map((one, index) => ({
        ...{ seq: 8 + index, id: `e${index}`, timestamp: '2026-01-01T00:00:00.000Z', op: 'edit' },
        patch: [one] as Patch[],
      }));
      for (const entry of entries) state.apply(entry);
      const view = new LineView(
        () => text,
        7,
        entries,
        () => state.freeze(),
      );
      expect([view.seq, view.size]).toEqual([state.seq, state.size]);
      for (const id of [...ids, 'nobody']) {
        expect(view.node(id)?.id).toBe(state.node(id)?.id);
        expect(view.departed(id)).toEqual(state.departed(id));
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
