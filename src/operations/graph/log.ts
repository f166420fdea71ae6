import * as z from 'zod/mini';
import { logTask, taskOf } from '#core/graph/moves.js';
import { operation } from '#operations/operation.js';
import { moverOf, text } from './shapes.js';

const entryShape = z.object({ timestamp: z.string(), actor: text, message: z.string() });

/** With a message: one more log entry. Without: the entries there are. */
export const log = operation({
  name: 'task.log',
  input: z.strictObject({ id: z.string(), message: text, actor: text }),
  output: z.object({ id: z.string(), seq: z.number(), log: z.readonly(z.array(entryShape)) }),
  async run(context, input) {
    const store = await context.graph();
    const { message } = input;
    if (message !== undefined) {
      const options = { now: context.clock.now(), by: moverOf(context, input.actor) };
      await store.commit((view) => logTask(view, input.id, message, options), context.request);
    }
    const view = await store.view();
    const entries = taskOf(view, input.id).log ?? [];
    return { id: input.id, seq: view.seq, log: message === undefined ? entries : entries.slice(-1) };
  },
});
