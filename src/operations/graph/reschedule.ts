import * as z from 'zod/mini';
import { rescheduleTask } from '#core/graph/hand-over.js';
import { momentOf } from '#core/graph/moment.js';
import { TroupeError } from '#kernel/errors.js';
import { operation } from '#operations/operation.js';
import { commitMove, movedShape, moveOptions, number, text } from '#operations/shapes.js';

const HOUR_MS = 3_600_000;

export const reschedule = operation({
  name: 'task.reschedule',
  input: z.strictObject({ id: z.string(), after: number, at: text, reason: text }),
  output: movedShape,
  run(context, input) {
    if ((input.after === undefined) === (input.at === undefined)) {
      throw new TroupeError('usage', { what: 'Say --after HOURS or --at TIME, one of them.' });
    }
    const at = input.at === undefined ? context.clock.now() + (input.after ?? 0) * HOUR_MS : momentOf(input.at);
    if (!Number.isFinite(at) || Math.abs(at) > 8e15)
      throw new TroupeError('bad_input', { what: 'That time is too far away.' });
    return commitMove(context, (view) => rescheduleTask(view, input.id, { ...moveOptions(context, input), at }));
  },
});
