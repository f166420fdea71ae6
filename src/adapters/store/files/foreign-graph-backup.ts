import { copyFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { timestamp } from '#kernel/clock.js';
import type { StorePaths } from './paths.js';

/** The graph as another tool left it stays beside the log: adopting it must not lose what it was. */
export function backUpForeignGraph(paths: StorePaths, now: number): void {
  mkdirSync(paths.pieces, { recursive: true });
  copyFileSync(paths.graph, path.join(paths.pieces, `graph-found-${timestamp(now).replaceAll(':', '')}.jsonl`));
}
