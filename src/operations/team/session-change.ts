import * as z from 'zod/mini';
import { checkedLine, checkedText } from '#core/team/memory-checks.js';
import { operation } from '#operations/operation.js';
import { sessionShape, shownSession, text } from './memory-shapes.js';
import { kept, unfit } from './memory-words.js';
import { changeMemory } from './shared-memory.js';

/** Says something else of the open session, or ends it. */
export const sessionChange = operation({
  name: 'teamsession.change',
  input: z.strictObject({ focus: text, context: text, end: z.optional(z.boolean()) }),
  output: sessionShape,
  async run(context, { focus, context: around, end }) {
    if (focus === undefined && around === undefined && end !== true)
      throw unfit('say a focus, a context, or that it ends');
    const change = {
      ...(focus === undefined ? {} : { focus: kept('focus', checkedLine('focus', focus)) }),
      ...(around === undefined ? {} : { context: kept('context', checkedText('the context', around)) }),
      ...(end === true ? { ended_at: context.clock.now() } : {}),
    };
    return shownSession(await changeMemory(context, (memory) => memory.changeSession(change)));
  },
});
