import { existsSync } from 'node:fs';
import type { GraphLayout } from '#kernel/graph-folder.js';

/** A folder is a graph by its files: `service/` alone is what a command leaves that ran where there is none. */
export function holdsGraph({ log, graph }: GraphLayout): boolean {
  return existsSync(log) || existsSync(graph);
}
