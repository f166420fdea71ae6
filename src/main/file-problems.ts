import path from 'node:path';
import { asTroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';
import type { GraphStore } from '#ports/graph-store.js';

/**
 * Says of each thing that is wrong with the files of a graph once that it is. Whatever cannot be read keeps nothing else from
 * going on: the last good state counts, and somebody should know.
 */
export function problemReporter(store: Pick<GraphStore, 'health'>, note: (text: string) => void): () => void {
  const told = new Set<string>();
  const tell = async () => {
    for (const { text, file, line } of await store.health()) {
      const where = file === undefined ? '' : `${path.basename(file)}${line === undefined ? '' : ` line ${line}`}: `;
      if (told.has(where + text) || told.size >= LIMITS.problemsTold) continue;
      told.add(where + text);
      note(`${where}${text}`);
    }
  };
  return () => {
    tell().catch((error) => note(`the files could not be looked at: ${asTroupeError(error).message}`));
  };
}
