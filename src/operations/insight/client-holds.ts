import * as z from 'zod/mini';
import { readiness } from '#core/graph/ready.js';
import type { GraphView } from '#core/graph/view.js';
import { type ClientHoldRow, sayWaiting } from '#core/insight/coordination.js';
import { timestamp } from '#kernel/clock.js';
import type { Context } from '#operations/operation.js';
import { coordinationIn } from './coordination.js';

export const clientHoldShape = z.object({
  client: z.string(),
  /** One line: what it is, since when, and how many tasks wait for it. */
  text: z.string(),
  /** What helps, and when it is tried again by itself. */
  remedy: z.string(),
  /** What a person runs once it is mended, where it does not pass by itself. */
  command: z.nullable(z.string()),
  tasks: z.number(),
  since: z.string(),
  until: z.string(),
});

/** The clients that are not started for a while, because their providers are in trouble, and how many ready tasks wait for each. */
export async function clientHolds(context: Context, view: GraphView): Promise<z.infer<typeof clientHoldShape>[]> {
  const { held } = await coordinationIn(context, view);
  if (!held) return [];
  const waiting = new Map<string, { readonly hold: ClientHoldRow; readonly tasks: number }>();
  const now = context.clock.now();
  for (const id of view.candidates()) {
    const task = view.task(id);
    if (!task || task.exec !== undefined || !readiness(view, id, now).ready) continue;
    const hold = held(task);
    if (hold) waiting.set(hold.client, { hold, tasks: (waiting.get(hold.client)?.tasks ?? 0) + 1 });
  }
  return [...waiting.values()].map(({ hold, tasks }) => ({
    client: hold.client,
    text: sayWaiting(hold, tasks),
    remedy: hold.remedy,
    command: hold.command ?? null,
    tasks,
    since: timestamp(hold.since),
    until: timestamp(hold.until),
  }));
}
