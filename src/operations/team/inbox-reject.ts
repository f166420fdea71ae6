import * as z from 'zod/mini';
import { checkedText } from '#core/team/memory-checks.js';
import { operation } from '#operations/operation.js';
import { rowNumber, settledShape, shownEntry, text } from './memory-shapes.js';
import { callerName, kept } from './memory-words.js';

/** Turns an entry down. It stays known, so that the same is not proposed again. */
export const inboxReject = operation({
  name: 'inbox.reject',
  input: z.strictObject({ number: rowNumber, reason: text }),
  output: settledShape,
  async run(context, { number, reason: given = '' }) {
    const reason = kept('reason', checkedText('the reason', given));
    const settlement = { status: 'rejected', by: callerName(context), at: context.clock.now() } as const;
    const said = reason === '' ? settlement : { ...settlement, reason };
    return { entry: shownEntry((await (await context.teamMemory()).settle(number, said)).entry) };
  },
});
