import fc from 'fast-check';
import { expect } from 'vitest';
import { toEntries } from '#core/graph/entries.js';
import type { Patch } from '#core/graph/event.js';
import { GraphState } from '#core/graph/state.js';
import { isTask } from '#core/graph/task.js';
import { verifies } from '../../verifies.js';
import { graphOf } from './graph.js';

const id = fc.integer({ min: 0, max: 7 }).map((number) => `t${number}`);
const step: fc.Arbitrary<Patch> = fc.oneof(
  fc.tuple(id, fc.array(id, { maxLength: 3 })).map(([task, after]) => ({ id: task, set: { after } })),
  id.map((task) => ({ id: task, set: { merged: 'c0ffee' } })),
  id.map((task) => ({ id: task, unset: ['merged'] })),
  id.map((task) => ({ id: task, del: true as const })),
  fc
    .tuple(id, fc.array(id, { maxLength: 3 }))
    .map(([task, after]) => ({ id: task, put: { kind: 'task', id: task, title: task, status: 'open', after } })),
);

/** By looking at everything before it. */
function comesAfterMerged(state: GraphState, task: string, seen = new Set<string>()): boolean {
  return (state.task(task)?.after ?? []).some((before) => {
    if (seen.has(before)) return false;
    seen.add(before);
    return state.task(before)?.merged !== undefined || comesAfterMerged(state, before, seen);
  });
}

const followersOf = (state: GraphState, all: Iterable<string>) => [...all].filter((task) => state.followsMerged(task));

verifies('hold.tree.follow', 'who comes after merged work is known after every change, in every copy', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), fc.boolean(), (steps, asked) => {
      const state = new GraphState();
      const all = Array.from({ length: 8 }, (_, number) => `t${number}`);
      for (const patch of steps) {
        const draft = { op: 'edit', patch: [patch] };
        for (const entry of toEntries([draft], { seq: state.seq, id: undefined }, '2026-03-21T10:00:00Z', () => 'e'))
          state.apply(entry);
        if (!asked) continue;
        expect(followersOf(state.freeze(), all)).toEqual(all.filter((task) => comesAfterMerged(state, task)));
      }
      const fork = state.fork() as GraphState;
      const wanted = all.filter((task) => state.task(task) !== undefined && comesAfterMerged(state, task));
      const there = all.filter((task) => state.task(task) !== undefined);
      expect(followersOf(state, there)).toEqual(wanted);
      expect(followersOf(fork, there)).toEqual(wanted);
      const loaded = graphOf(...[...state.nodes()].filter(isTask));
      expect(followersOf(loaded, there)).toEqual(wanted);
    }),
    { numRuns: 300 },
  );
});
