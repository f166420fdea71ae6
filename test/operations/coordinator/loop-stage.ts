import { onTestFinished, vi } from 'vitest';
import { addTask } from '#core/graph/add.js';
import type { NodeFields } from '#core/graph/task.js';
import { CoordinatorLoop, type CoordinatorOptions } from '#operations/coordinator/coordinator-loop.js';
import type { RunClaim, RunHost } from '#ports/run-host.js';
import { GraphInMemory } from '../../graph-in-memory.js';
import { quietParts } from '../../quiet-parts.js';

export const START = Date.parse('2026-03-01T10:00:00Z');

/** A coordinator whose time is the test's, and whose host of runs starts nothing. */
export function stage(more: Partial<CoordinatorOptions> = {}, ofRuns: object = {}) {
  vi.useFakeTimers({ now: START, toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const clock = { now: () => Date.now() };
  const store = new GraphInMemory(clock);
  const calls: unknown[] = [];
  const runs: RunHost = {
    ...{ facts: async () => [], listed: async () => [], forget: async () => undefined },
    fact: async (run: string) => (await runs.facts()).find(({ id }) => id === run),
    onChange: () => undefined,
    adopt: async (claims: readonly RunClaim[]) => {
      calls.push(['adopt', claims]);
      return 0;
    },
    close: async () => void calls.push('runs closed'),
    ...ofRuns,
  } as unknown as RunHost;
  const parts = quietParts({ store, runs });
  const persisted = { ...parts.persisted, savePaused: (paused: boolean) => calls.push(['paused', paused]) };
  const loop = new CoordinatorLoop({ ...parts, pollMs: 10_000, persisted, ...more });
  onTestFinished(() => loop.stop());
  const put = (id: string, fields: NodeFields = {}) =>
    store.commit((view) => {
      const { events } = addTask(view, { title: id, id, ...fields }, { now: START });
      return { events, result: undefined };
    });
  return { loop, store, calls, put, ticks: () => loop.facts().ticks };
}
