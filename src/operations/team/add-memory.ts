import * as z from 'zod/mini';
import { memberNamed } from '#core/team/member-wish.js';
import { IMPORTANCES, MEMORY_TYPES } from '#core/team/memory.js';
import { checkedText } from '#core/team/memory-checks.js';
import { operation } from '#operations/operation.js';
import { memoryShape, shownMemory } from './memory-shapes.js';
import { kept, madeBy, unfit } from './memory-words.js';
import { changeMemory } from './shared-memory.js';

/** Keeps something that a member of the team is to remember. */
export const add = operation({
  name: 'memory.add',
  input: z.strictObject({
    agent: z.string(),
    content: z.string(),
    type: z.optional(z.enum(MEMORY_TYPES)),
    importance: z.optional(z.enum(IMPORTANCES)),
  }),
  output: memoryShape,
  async run(context, { agent, content, type, importance }) {
    const { slug } = memberNamed(await (await context.squad()).read(), agent);
    const text = kept('content', checkedText('the text', content));
    if (text === '') throw unfit('the text is empty', 'content');
    const made = { type: type ?? 'learning', importance: importance ?? 'medium', ...madeBy(context) };
    return shownMemory(
      await changeMemory(context, (memory) => memory.remember({ agent: slug, content: text, ...made })),
    );
  },
});
