import type { ChildProcess } from 'node:child_process';
import { watch } from 'node:fs';

/** Printed by every crash test, so that a failing run can be repeated. */
export const seed = Number(process.env['TROUPE_SEED'] ?? Date.now() % 1_000_000);

/** Mulberry32: a small seeded generator, good enough to choose times. */
export function randomFrom(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Sends SIGKILL after a delay. Resolves to true if the signal ended the process. */
export async function killAfter(child: ChildProcess, milliseconds: number): Promise<boolean> {
  const ended = new Promise<NodeJS.Signals | null>((resolve) => child.once('exit', (_, signal) => resolve(signal)));
  const timer = setTimeout(() => child.kill('SIGKILL'), milliseconds);
  const signal = await ended;
  clearTimeout(timer);
  return signal === 'SIGKILL';
}

/** Like `killAfter`, but the delay starts when a file of this name appears in a folder. */
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
