import { expect } from 'vitest';
import { decide } from '#core/coordinator/parts.js';
import type { RunFact, Terms } from '#core/coordinator/snapshot.js';
import type { GraphState } from '#core/graph/state.js';
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
