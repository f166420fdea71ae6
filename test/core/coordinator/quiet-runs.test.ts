import fc from 'fast-check';
import { expect } from 'vitest';
import { decide } from '#core/coordinator/parts.js';
import type { RunFact, Terms } from '#core/coordinator/snapshot.js';
import type { GraphState } from '#core/graph/state.js';
import { mass } from '../../mass.js';
import { verifies } from '../../verifies.js';
import { fact, graphOf, held, NOW, snapshot } from './stage.js';

const MINUTE = 60_000;

/** Decisions about one run that earlier passes may have found quiet. */
function decisions(view: GraphState, run: RunFact, now: number, terms: Partial<Terms> = {}): readonly object[] {
  return decide(snapshot(view, { runs: [run], terms: { idleMs: 5 * MINUTE, leaseGraceMs: 1_000, ...terms } }), now);
}

verifies('fleet.sim', 'a run that needed nothing is left alone until its time, its patience or its lease ends', () => {
  const view = graphOf(held('a', 'agent-1'));
  const cases: readonly [RunFact, number, object][] = [
    [fact('agent-1', 'a', { startedAt: NOW, timeoutMs: MINUTE }), MINUTE, { do: 'kill', why: 'timeout' }],
    [
      fact('agent-1', 'a', { startedAt: NOW, timeoutMs: 60 * MINUTE, progressAt: NOW, executor: 'claude' }),
      5 * MINUTE,
      { do: 'kill', why: 'idle' },
    ],
    [fact('agent-1', 'a', { startedAt: NOW, timeoutMs: MINUTE, leaseUntil: NOW + 9_000 }), 10_000, { do: 'release' }],
  ];
  for (const [run, due, expected] of cases) {
    expect(decisions(view, run, NOW)).toEqual([]);
    expect(decisions(view, run, NOW + due)).toEqual([]);
    expect(decisions(view, run, NOW + due + 1)[0]).toMatchObject(expected);
  }
});

verifies('fleet.sim', 'a quiet run is looked at again when its task, the terms or its own facts change', () => {
  const view = graphOf(held('a', 'agent-1'));
  const run = fact('agent-1', 'a', { startedAt: NOW, timeoutMs: 60 * MINUTE, progressAt: NOW, executor: 'claude' });
  expect(decisions(view, run, NOW)).toEqual([]);
  const moved = graphOf({ ...held('a', 'agent-2'), fence: 2 });
  expect(decisions(moved, run, NOW)).toMatchObject([{ do: 'kill', why: 'superseded' }]);
  expect(decisions(view, run, NOW)).toEqual([]);
  expect(decisions(view, run, NOW + MINUTE, { idleMs: 1_000 })).toMatchObject([{ do: 'kill', why: 'idle' }]);
  expect(decisions(view, { ...run, exit: { code: 0 }, alive: false }, NOW)).not.toEqual([]);
});

type Change = readonly [
  kind: 'beat' | 'exit' | 'gone' | 'lost' | 'came' | 'wait' | 'moved' | 'later' | 'terms',
  run: number,
];
const change: fc.Arbitrary<Change> = fc.tuple(
  fc.constantFrom('beat', 'beat', 'exit', 'gone', 'lost', 'came', 'wait', 'moved', 'later', 'terms'),
  fc.integer({ min: 0, max: 11 }),
);

/** Snapshots of a coordinator to whose runs and tasks something happens between two passes. */
function passes(changes: readonly (readonly Change[])[]) {
  const names = Array.from({ length: 12 }, (_, number) => [`agent-${number + 1}`, `task-${number}`] as const);
  const state = graphOf(...names.map(([run, id]) => held(id, run)), { id: 'free', exec: 'true' });
  const runs = new Map(
    names.map(([run, task], number): [string, RunFact] => {
      const client = number % 2 === 0 ? { executor: 'claude', progressAt: NOW } : {};
      return [run, fact(run, task, { startedAt: NOW, timeoutMs: 3 * MINUTE, leaseUntil: NOW + 2 * MINUTE, ...client })];
    }),
  );
  const set = (id: string, fields: Readonly<Record<string, unknown>>) =>
    state.apply({
      ...{ seq: state.seq + 1, id: `e-${state.seq}`, timestamp: '', op: 'x' },
      patch: [{ id, set: fields }],
    });
  let [now, idleMs] = [NOW, 5 * MINUTE];
  return changes.map((step) => {
    for (const [kind, number] of step) {
      const [name, task] = names[number] ?? ['', ''];
      const run = runs.get(name);
      if (kind === 'later') now += number * 10_000;
      else if (kind === 'terms') idleMs = (number + 1) * MINUTE;
      else if (kind === 'moved') set(task, { assigned: 'agent-99', fence: 2 });
      else if (kind === 'wait') set(task, { status: 'waiting' });
      else if (kind === 'gone') runs.delete(name);
      else if (kind === 'came') runs.set(name, fact(name, task, { startedAt: now, timeoutMs: 3 * MINUTE }));
      else if (run && kind === 'beat') runs.set(name, { ...run, progressAt: now, leaseUntil: now + 2 * MINUTE });
      else if (run && kind === 'lost') runs.set(name, { ...run, alive: false });
      else if (run) runs.set(name, { ...run, alive: false, exit: { code: 0 } });
    }
    const facts = { runs: [...runs.values()], terms: { idleMs, leaseGraceMs: 1_000 }, maxAgents: 9 };
    return { facts: snapshot(state.freeze(), facts), now };
  });
}

verifies('fleet.sim', 'passes that remember the one before decide what a pass decides that remembers nothing', () => {
  const other = snapshot(graphOf(), { terms: { idleMs: 1, leaseGraceMs: 1 } });
  fc.assert(
    fc.property(fc.array(fc.array(change, { maxLength: 3 }), { maxLength: 25 }), (changes) => {
      const all = passes(changes);
      decide(other, NOW);
      const remembered = all.map(({ facts, now }) => decide(facts, now));
      const alone = all.map(({ facts, now }) => {
        decide(other, NOW);
        return decide(facts, now);
      });
      expect(remembered).toEqual(alone);
    }),
    { numRuns: mass(150, 3_000) },
  );
});

verifies('fleet.sim', 'of a thousand quiet runs a pass reads those that changed, and those whose task did', () => {
  const names = Array.from({ length: 1_000 }, (_, number) => [`agent-${number + 1}`, `task-${number}`] as const);
  const state = graphOf(...names.map(([run, id]) => held(id, run)));
  let reads = 0;
  const counting = (run: string, task: string): RunFact => {
    const { alive, ...others } = fact(run, task, { startedAt: NOW, timeoutMs: 3 * MINUTE });
    const get = () => {
      reads++;
      return alive;
    };
    return Object.defineProperty({ ...others } as RunFact, 'alive', { enumerable: true, get });
  };
  const runs = names.map(([run, task]) => counting(run, task));
  const readsOf = (list: readonly RunFact[]) => {
    reads = 0;
    expect(decide(snapshot(state.freeze(), { runs: list }), NOW)).toEqual([]);
    return reads;
  };
  const each = readsOf(runs) / 1_000;
  expect(each).toBeGreaterThanOrEqual(1);
  expect(readsOf(runs)).toBe(0);
  expect(readsOf(runs.with(7, counting('agent-8', 'task-7')))).toBe(each);
  state.apply({
    ...{ seq: state.seq + 1, id: 'e-1', timestamp: '', op: 'x' },
    patch: [{ id: 'task-9', set: { title: 'Another' } }],
  });
  expect(readsOf(runs.with(7, runs[7] ?? expect.unreachable()))).toBe(2 * each);
});
