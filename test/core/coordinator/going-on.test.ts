import { expect } from 'vitest';
import { decide } from '#core/coordinator/parts.js';
import type { RunFact } from '#core/coordinator/snapshot.js';
import { continuedRun } from '#core/graph/attempts.js';
import { verifies } from '../../verifies.js';
import type { TaskFields } from '../graph/graph.js';
import { apply, fact, graphOf, held, NOW, snapshot } from './stage.js';

/** From whom the next attempt goes on after a run that held its task ended so. */
function after(ended: Partial<RunFact>, fields: TaskFields = {}): string | undefined {
  const graph = graphOf(held('a', 'agent-2', { fence: 2, exec: undefined, ...fields } as TaskFields));
  const run = fact('agent-2', 'a', { fence: 2, executor: 'claude', alive: false, ...ended });
  apply(graph, decide(snapshot(graph, { runs: [run], paused: true }), NOW));
  const task = graph.task('a');
  return task && continuedRun(task);
}

const EARLIER = { last_run: { run: 'agent-1', iteration: 0, goes_on: 1 } };

verifies(
  'hold.resume',
  'the next attempt goes on from the run that died or parked, and from nobody who may still write',
  () => {
    expect(after({})).toBe('agent-2');
    expect(after({ exit: { code: 0 } }, { status: 'waiting' })).toBe('agent-2');
    expect(after({ exit: { code: 1 }, ended: 'stopped' })).toBe('agent-2');
    expect(after({ exit: { code: 1 } })).toBeUndefined();
    // No run began under the last claim: what was before it still is the last. Where one could not be started, its place may be why.
    expect(after({ started: false }, EARLIER)).toBe('agent-1');
    expect(after({ started: false, startError: 'no' }, EARLIER)).toBeUndefined();
    // Whoever lost its lease may still be at work there.
    expect(after({ alive: true, leaseUntil: NOW - 600_000 }, EARLIER)).toBeUndefined();
    expect(after({}, { loop_iteration: 1 })).toBe('agent-2');
  },
);
