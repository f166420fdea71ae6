import { readFileSync, writeFileSync } from 'node:fs';
import { sha256 } from '#kernel/hash.js';
import { PROC } from './process-table.js';

/** The name that a process shows while this introduction is looked at: as long as Linux lets a name be. */
export function shownName(introduction: string): string {
  return sha256(introduction).slice(0, 15);
}

/** The name of this process as the system tells it to others, which only the process itself can change: one holder at a time. */
let free: Promise<void> = Promise.resolve();

/**
 * Shows a text of at most 15 characters as the name of this process, until the function it answers is called. Waits while
 * somebody else in this process shows another.
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

/** The name until now; undefined where the system lets nobody change it. */
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
