import type { ChildProcess } from 'node:child_process';
import { watch } from 'node:fs';

/** Printed by every crash test, so that a bad run can be had again. */
export const seed = Number(process.env['TROUPE_SEED'] ?? Date.now() % 1_000_000);

/** Mulberry32: small, seeded, good enough to pick moments. */
export function randomFrom(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Sends SIGKILL after some time. True when that, and not its own end, was the end of the process. */
export async function killAfter(child: ChildProcess, milliseconds: number): Promise<boolean> {
  const ended = new Promise<NodeJS.Signals | null>((resolve) => child.once('exit', (_, signal) => resolve(signal)));
  const timer = setTimeout(() => child.kill('SIGKILL'), milliseconds);
  const signal = await ended;
  clearTimeout(timer);
  return signal === 'SIGKILL';
}

/** The same some time after a file of this name has come to a folder. */
export async function killAt(
  child: ChildProcess,
  folder: string,
  file: string,
  milliseconds: number,
): Promise<boolean> {
  const ended = new Promise<NodeJS.Signals | null>((resolve) => child.once('exit', (_, signal) => resolve(signal)));
  let timer: NodeJS.Timeout | undefined;
  const watcher = watch(folder, (_, name) => {
    if (name === file) timer ??= setTimeout(() => child.kill('SIGKILL'), milliseconds);
  });
  const signal = await ended;
  watcher.close();
  clearTimeout(timer);
  return signal === 'SIGKILL';
}
