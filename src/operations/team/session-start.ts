import * as z from 'zod/mini';
import { checkedLine, checkedText } from '#core/team/memory-checks.js';
import { operation } from '#operations/operation.js';
import { sessionShape, shownSession, text } from './memory-shapes.js';
import { kept, madeBy } from './memory-words.js';
import { changeMemory } from './shared-memory.js';

/** Begins a session of the team. One at a time. */
export const sessionStart = operation({
  name: 'teamsession.start',
  input: z.strictObject({ focus: z.string(), context: text }),
  output: sessionShape,
  async run(context, { focus, context: around = '' }) {
    const { created_by, created_at, ...made } = madeBy(context);
    const begun = {
      focus: kept('focus', checkedLine('focus', focus)),
      context: kept('context', checkedText('the context', around)),
      started_by: created_by,
      started_at: created_at,
      ...made,
    };
    return shownSession(await changeMemory(context, (memory) => memory.openSession(begun)));
  },
});
