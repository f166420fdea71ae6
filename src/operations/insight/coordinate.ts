import * as z from 'zod/mini';
import { coordinate } from '#core/insight/coordinate.js';
import { operation } from '#operations/operation.js';
import { brief, ids, list, nullableText } from './shapes.js';

const placed = z.extend(brief, { assigned: nullableText, member: nullableText });

export const showCoordination = operation({
  name: 'analysis.coordinate',
  input: z.strictObject({}),
  output: z.object({
    ready: list(placed),
    in_progress: list(placed),
    next: list(z.extend(placed, { waits_for: ids })),
    needs_person: list(placed),
    ready_count: z.number(),
    in_progress_count: z.number(),
    waiting_count: z.number(),
  }),
  async run(context) {
    return coordinate(await (await context.graph()).view(), context.clock.now());
  },
});
