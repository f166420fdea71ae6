import * as z from 'zod/mini';
import { parseWait, pathsOfWait, waitTask } from '#core/graph/wait.js';
import { operation } from '#operations/operation.js';
import { commitMove, movedShape, moveOptions, text } from '#operations/shapes.js';
import { fileFacts } from './file-facts.js';

export const wait = operation({
  name: 'task.wait',
  input: z.strictObject({ id: z.string(), until: z.string(), checkpoint: text, reason: text, actor: text }),
  output: movedShape,
  async run(context, input) {
    const files = await fileFacts(context, pathsOfWait(input.until), 'refuse');
    const options = { ...moveOptions(context, input), checkpoint: input.checkpoint };
    const by = options.by.fence === undefined ? {} : { by: options.by.name };
    return commitMove(context, (view) =>
      waitTask(view, input.id, parseWait(view, input.until, { now: options.now, files, ...by }), options),
    );
  },
});
