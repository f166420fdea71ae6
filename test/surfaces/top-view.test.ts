import { PassThrough, Writable } from 'node:stream';
import pc from 'picocolors';
import { beforeAll, expect, onTestFinished, vi } from 'vitest';
import { execute } from '#surfaces/cli/commands/top.js';
import type { CommandHost } from '#surfaces/cli/host.js';
import { rowsOnTerminal } from '#surfaces/cli/live-view.js';
import { openStage } from '#surfaces/cli/stage.js';
import type { StatusWork } from '#surfaces/cli/top/frame.js';
import { PATIENCE } from '../patience.js';
import { verifies } from '../verifies.js';

const ENTER = '\u001b[?1049h';
const LEAVE = '\u001b[?1049l';
const SHOW_CURSOR = '\u001b[?25h';
const WORK: StatusWork = {
  ...{ at: '2026-03-21T10:02:10.000Z', seq: 1, runs: [], people: [], gates: [], counts: {}, held_clients: [] },
  service: { running: true, paused: false, executor: 'claude', missing: null },
  slots: { taken: 0, most: 4 },
  workers: { count: 0, taken: 0, free: 0, silent: [] },
  spend: {
    ...{ estimated_today: 0, estimated_total: 0, tokens_unpriced_today: 0, usd_today: 0, usd_total: 0 },
    ...{ tokens_today: 0, usd_reserved: 0, usd_per_day: null, usd_cap: null, tokens_per_day: null },
  },
};

/** A terminal that reports no size, and keeps what was written to it. */
function terminal() {
  let written = '';
  const out = new Writable({
    write: (chunk: Buffer, _, done) => {
      written += chunk.toString();
      done();
    },
  });
  const raw: boolean[] = [];
  const input = Object.assign(new PassThrough(), {
    ...{ isTTY: true, ref: () => undefined, unref: () => undefined },
    setRawMode: (on: boolean) => raw.push(on),
  });
  return {
    stage: {
      input: input as unknown as NodeJS.ReadStream,
      out: Object.assign(out, { isTTY: true, columns: 0, rows: 0 }) as unknown as NodeJS.WriteStream,
    },
    raw,
    key: (data: string) => input.write(data),
    written: () => written,
    forget: () => {
      written = '';
    },
  };
}

const screen = {
  ...{ width: 80, colour: pc.createColors(false), unicode: true },
  ...{ line: () => undefined, aside: () => undefined },
};

/** Answers of the program to the live view. Errors of `work` begin after the first, which is before the view. */
interface Answers {
  readonly work?: () => Promise<StatusWork>;
  readonly pause?: () => Promise<void>;
}

/** `troupe top` in a terminal; a signal reaches only those who listen, and ends no test. */
async function view({ work = async () => WORK, pause = async () => undefined }: Answers) {
  const held = () => undefined;
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, held);
  onTestFinished(() => {
    for (const signal of ['SIGTERM', 'SIGHUP']) process.off(signal, held);
  });
  const listening = new Set([...process.listeners('SIGTERM'), ...process.listeners('SIGHUP')]);
  const { stage, ...seen } = terminal();
  let calls = 0;
  const host = {
    ...{ ...stage, environment: process.env },
    call: async ({ name }: { readonly name: string }) => {
      if (name === 'service.pause') return await pause();
      calls += 1;
      return calls === 1 ? WORK : work();
    },
  } as unknown as CommandHost;
  const nothing = {
    input: {},
    json: false,
    quiet: false,
    folder: '/',
    begunAt: 0,
    entries: async () => [],
    programEntries: async () => [],
  };
  const shown = execute({ host, screen, ...nothing });
  onTestFinished(async () => {
    seen.key('q');
    await shown;
  });
  return {
    ...seen,
    shown,
    signal: (name: 'SIGTERM' | 'SIGHUP') => {
      for (const listener of process.listeners(name)) if (!listening.has(listener)) listener(name);
    },
  };
}

beforeAll(() => {
  vi.stubEnv('TERM', 'xterm'); // commands of a review have none
  vi.stubEnv('CI', 'true'); // the view draws in every terminal, also in one that counts as continuous integration
  return () => void vi.unstubAllEnvs();
});

verifies('ui.cli.progress', 'the live view gives the terminal back whatever ends it', async () => {
  for (const end of ['SIGTERM', 'SIGHUP', 'q'] as const) {
    const { shown, signal, key, raw, written } = await view({});
    await vi.waitFor(() => expect(written()).toContain('troupe top'), PATIENCE);
    expect(written().startsWith(ENTER)).toBe(true);
    if (end === 'q') key(end);
    else signal(end);
    await shown;
    expect([raw, written().endsWith(`${SHOW_CURSOR}${LEAVE}`)], end).toEqual([[true, false], true]);
  }
});

verifies(
  'ui.cli.progress',
  'the live view shows that a refresh failed until one succeeds, and a refused act until the next key',
  async () => {
    let [away, refreshes] = [true, 0];
    const { key, written, forget } = await view({
      work: async () => {
        refreshes += 1;
        if (away) throw new Error('The service is away.');
        return WORK;
      },
      pause: async () => Promise.reject(new Error('It may not be paused.')),
    });
    const seen = (text: string) => vi.waitFor(() => expect(written()).toContain(text), PATIENCE);
    const refreshed = async () => {
      const before = refreshes;
      await vi.waitFor(() => expect(refreshes).toBeGreaterThan(before + 1), PATIENCE);
    };
    await seen('The service is away.');
    away = false;
    forget();
    await seen('q quit');
    await refreshed();
    expect(written()).not.toContain('The service is away.');
    key('p');
    await seen('It may not be paused.');
    forget();
    await refreshed();
    expect(written()).not.toContain('q quit');
    key('\u001b[A');
    await seen('q quit');
    expect(written()).not.toContain('It may not be paused.');
  },
);

verifies('ui.cli.progress', 'a terminal that reports no size counts as 80 by 24 everywhere', () => {
  const { stage, written } = terminal();
  const rows = rowsOnTerminal(stage.out, screen, () => 0);
  const tasks = Array.from({ length: 30 }, (_, index) => `t-${index}`).map((id) => ({
    ...{ id, title: 'x'.repeat(100), state: 'open' as const, after: [], after_success: [] },
  }));
  rows.show(tasks);
  rows.end();
  const lines = written().split('\n');
  expect(lines.filter((line) => line.includes('xxx'))).toHaveLength(17);
  expect(written()).toContain('and 13 more');
  const opened = openStage(stage);
  expect([opened.columns(), opened.rows()]).toEqual([80, 24]);
  opened.close();
});
