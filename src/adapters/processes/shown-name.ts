import { readFileSync, writeFileSync } from 'node:fs';
import { sha256 } from '#kernel/hash.js';
import { PROC } from './process-table.js';

/** The process name that proves an introduction, with the maximum length of a name on Linux (15 characters). */
export function shownName(introduction: string): string {
  return sha256(introduction).slice(0, 15);
}

/** Serialises use of the name of this process, which only the process itself can change: one holder at a time. */
let free: Promise<void> = Promise.resolve();

/**
 * Shows a text of at most 15 characters as the name of this process until the returned function is called. Waits while
 * another caller in this process shows a name.
 */
export async function showName(text: string): Promise<() => void> {
  const before = free;
  let over: () => void = () => undefined;
  free = new Promise((resolve) => {
    over = resolve;
  });
  await before;
  const earlier = setName(text);
  let shown = true;
  return () => {
    if (!shown) return;
    shown = false;
    if (earlier !== undefined) setName(earlier);
    over();
  };
}

/** Sets the name of this process and returns the previous one; undefined if the system does not allow it. */
function setName(name: string): string | undefined {
  if (PROC === '') {
    const earlier = process.title;
    process.title = name;
    return earlier;
  }
  try {
    const file = `${PROC}/self/comm`;
    const earlier = readFileSync(file, 'utf8').trimEnd();
    writeFileSync(file, name);
    return earlier;
  } catch {
    return undefined;
  }
}
