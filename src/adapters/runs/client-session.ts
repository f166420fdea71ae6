import { existsSync } from 'node:fs';
import path from 'node:path';
import { addUsage } from '#core/runs/event.js';
import { isSessionId } from '#core/runs/reader.js';
import type { RunSession } from '#ports/run-folders.js';
import { HeartbeatFile, readOrder, readResult } from './client-files.js';

/**
 * The session of a run, by its last word; of one that died without any, by what it was started with. What such a one had
 * used is added to what was used before it: its client never said the sum.
 */
export function readSession(folder: string): RunSession | undefined {
  if (!existsSync(path.join(folder, 'run.json'))) return undefined;
  const order = readOrder(folder);
  const result = readResult(folder);
  const beat = new HeartbeatFile(folder).read();
  const id = result?.sessionId ?? order.sessionId;
  if (id === undefined || !isSessionId(id)) return undefined; // the client could have written it itself
  const before = result?.cumulative ?? (beat?.usage ? sum(order.before, beat.usage) : order.before);
  return {
    id,
    executor: order.executor,
    folder: order.folder,
    progressed: (result?.turns ?? beat?.turns ?? 0) > 0,
    ...(before === undefined ? {} : { before }),
  };
}

function sum(left: RunSession['before'], right: NonNullable<RunSession['before']>): NonNullable<RunSession['before']> {
  return left === undefined ? right : addUsage(left, right);
}
