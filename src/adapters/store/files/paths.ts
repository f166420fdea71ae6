import { existsSync } from 'node:fs';
import type { GraphLayout } from '#kernel/graph-folder.js';

/** Whether a folder contains a graph, by its files: a command that ran without a graph leaves `service/` alone. */
export function holdsGraph({ log, graph }: GraphLayout): boolean {
  return existsSync(log) || existsSync(graph);
}
