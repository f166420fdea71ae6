import { Writable } from 'node:stream';
import pc from 'picocolors';
import { expect, vi } from 'vitest';
import { type Work, watchWork } from '#surfaces/cli/foreground-run.js';
import type { CommandHost, ForegroundSession } from '#surfaces/cli/host.js';
import type { LiveTask } from '#surfaces/cli/live-view.js';
import { PATIENCE } from '../patience.js';
import { verifies } from '../verifies.js';

interface Scene {
  readonly terminal?: boolean;
  readonly inService?: boolean;
  /** Whether clean-up is over when the report is there. */
  readonly clean?: boolean;
  /** The answer to this look at the graph, and to all later ones, never comes. */
  readonly silentFrom?: number;
}

/** Work whose report is there at once, in a session without news. `press` is what Ctrl-C, SIGTERM and `q` do. */
function watched({ terminal = true, inService = false, clean = false, silentFrom = Number.POSITIVE_INFINITY }: Scene) {
  const said: string[] = [];
  let [looks, stopped] = [0, false];
  const state = clean ? ('done' as const) : ('in-progress' as const);
  const task: LiveTask = { id: 'a', title: 'Tidy', state, after: [], after_success: [] };
  const session = {
    ...{ projectFolder: '/p', inService, dashboardLink: async () => 'http://link' },
    async call(name: string) {
      if (name === 'status.now') return { to_land: 0 };
      looks += 1;
      return looks >= silentFrom ? new Promise(() => undefined) : { seq: 1, tasks: [task] };
    },
    async *follow(_: number, signal: AbortSignal) {
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
    },
    async stop() {
      stopped = true;
    },
  } as unknown as ForegroundSession;
  const work: Work = {
    tasks: new Set(['a']),
    summable: async () => true,
    summary: async () => ({ facts: {}, print: async () => void said.push('summary'), exitCode: 0 }),
    over: (tasks) => tasks.every(({ state }) => state === 'done'),
  };
  const out = Object.assign(new Writable({ write: (_, __, done) => done() }), { isTTY: terminal });
  const host = { out, environment: {}, findProject: () => '/p', openSession: async () => session };
  const line = (text = '') => void said.push(text);
  const before = new Set(process.listeners('SIGTERM'));
  const code = watchWork(
    {
      ...{ host: host as unknown as CommandHost, input: {}, json: false, quiet: false, folder: '/p', begunAt: 0 },
      screen: { width: 80, colour: pc.createColors(false), unicode: true, line, aside: line },
      entries: async () => [],
      programEntries: async () => [],
    },
    '/p',
    { maxAgents: 1, clients: {}, exit: false },
    async () => work,
  );
  return {
    said,
    code,
    looks: () => looks,
    stopped: () => stopped,
    press: () => {
      for (const listener of process.listeners('SIGTERM')) if (!before.has(listener)) listener('SIGTERM');
    },
  };
}

const RELEASED = 'Stopping: running tasks are released. Resume with `troupe run --resume`.';
const LEFT = 'No longer watching: the service continues. Check with `troupe status`.';

verifies(
  'review.quick',
  'leaving after the report ends the run at once; clean-up continues only in a service',
  async () => {
    for (const [scene, last] of [
      [{}, RELEASED],
      [{ inService: true }, LEFT],
      [{ terminal: false }, RELEASED],
    ] as const) {
      const watch = watched(scene);
      await vi.waitFor(() => expect(watch.looks()).toBe(2), PATIENCE);
      expect([watch.said.includes('summary'), watch.stopped()]).toEqual([true, false]);
      watch.press();
      expect(await watch.code).toBe(0);
      expect([watch.said.at(-1), watch.stopped()]).toEqual([last, true]);
    }
  },
);

verifies(
  'review.quick',
  'the run ends when clean-up is over; at a terminal it waits for the person, and says no more',
  async () => {
    const alone = watched({ terminal: false, clean: true });
    expect([await alone.code, alone.said.at(-1)]).toEqual([0, 'summary']);
    const watch = watched({ clean: true });
    await vi.waitFor(() => expect(watch.looks()).toBe(2), PATIENCE);
    expect(watch.stopped()).toBe(false);
    watch.press();
    expect(await watch.code).toBe(0);
    expect(watch.said.at(-1)).toContain('Press q to quit');
  },
);

verifies('review.quick', 'an answer that never comes does not hold a run that was asked to end', async () => {
  for (const [silentFrom, code] of [
    [1, 130],
    [2, 0],
  ] as const) {
    const watch = watched({ silentFrom });
    await vi.waitFor(() => expect(watch.looks()).toBe(silentFrom), PATIENCE);
    watch.press();
    expect(await watch.code).toBe(code);
    expect(watch.said.at(-1)).toBe(RELEASED);
  }
});
