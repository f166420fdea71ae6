import { expect, onTestFinished, vi } from 'vitest';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { stopCommand } from '#surfaces/cli/commands/service.js';
import { verifies } from '../verifies.js';

/** What the command printed when the service ended after this time. */
async function saidAfter(ms: number, { json = false, isRefused = false } = {}) {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const [lines, asides]: [string[], string[]] = [[], []];
  const stopService = async () => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    if (isRefused) throw new Error('refused');
    return { pid: 7 };
  };
  const screen = {
    line: (text: string) => lines.push(text),
    aside: (text: string) => asides.push(text),
    colour: { dim: (text: string) => text },
  };
  const stopped = stopCommand({ host: { stopService }, screen, json, input: { kill_agents: true } } as never);
  const outcome = stopped.catch((error: Error) => error.message);
  await vi.advanceTimersByTimeAsync(ms);
  return { outcome: await outcome, lines, asides, timers: vi.getTimerCount() };
}

verifies('ui.cli.progress', 'a stop that takes longer than a second says what it waits for', async () => {
  const done = { outcome: 0, lines: ['The service and its runs are stopped.'], timers: 0 };
  expect(await saidAfter(WORK_LIMITS.waitToldMs - 1)).toEqual({ ...done, asides: [] });
  const waits = ['Its runs are being ended: each client gets some seconds to exit.'];
  expect(await saidAfter(WORK_LIMITS.waitToldMs)).toEqual({ ...done, asides: waits });
  const json = { ...done, lines: ['{"stopping":true,"pid":7}'], asides: [] };
  expect(await saidAfter(WORK_LIMITS.waitToldMs, { json: true })).toEqual(json);
  expect(await saidAfter(5, { isRefused: true })).toMatchObject({ outcome: 'refused', lines: [], timers: 0 });
});
