import * as z from 'zod/mini';
import { checkedLine, checkedText } from '#core/memory/memory.js';
import { changeWorkSession, openWorkSession, sessionIn } from '#core/memory/memory-changes.js';
import { rowAt } from '#core/memory/memory-state.js';
import { LIMITS } from '#kernel/limits.js';
import { operation } from '#operations/operation.js';
import { text } from '#operations/shapes.js';
import { provenance, storedText, unfit } from './memories.js';
import { fitting, limit, sessionRow, sessionShape } from './memory-shapes.js';

import { changeMemory, memoryNow } from './shared-memory.js';

/** Starts a session of the team; only one can be open. */
export const sessionStart = operation({
  name: 'teamsession.start',
  input: z.strictObject({ focus: z.string(), context: text }),
  output: sessionShape,
  async run(context, { focus, context: around = '' }) {
    const { created_by, created_at, ...origin } = provenance(context);
    const draft = {
      focus: storedText('focus', checkedLine('focus', focus)),
      context: storedText('context', checkedText('the context', around)),
      started_by: created_by,
      started_at: created_at,
      ...origin,
    };
    const { after, id } = await changeMemory(context, (state) => openWorkSession(state, draft));
    return sessionRow(rowAt(after.sessions, id));
  },
});

/** Changes the focus or context of the open session, or ends it. */
export const sessionChange = operation({
  name: 'teamsession.change',
  input: z.strictObject({ focus: text, context: text, end: z.optional(z.boolean()) }),
  output: sessionShape,
  async run(context, { focus, context: around, end }) {
    if (focus === undefined && around === undefined && end !== true)
      throw unfit('give a focus or a context, or end it');
    const change = {
      ...(focus === undefined ? {} : { focus: storedText('focus', checkedLine('focus', focus)) }),
      ...(around === undefined ? {} : { context: storedText('context', checkedText('the context', around)) }),
      ...(end === true ? { ended_at: context.clock.now() } : {}),
    };
    const { after, id } = await changeMemory(context, (state) => changeWorkSession(state, change));
    return sessionRow(rowAt(after.sessions, id));
  },
});

/** Lists the sessions of the team, latest last. */
export const sessionList = operation({
  name: 'teamsession.list',
  input: z.strictObject({ limit }),
  output: z.object({ sessions: z.array(sessionShape) }),
  async run(context, { limit: most }) {
    const { sessions } = await memoryNow(context);
    const latest = sessions.slice(-(most ?? LIMITS.memoryRowsListed));
    return { sessions: fitting(latest.map(({ row }) => sessionRow(row))) };
  },
});

/** Returns the open session of the team. */
export const sessionShow = operation({
  name: 'teamsession.show',
  input: z.strictObject({}),
  output: z.object({ session: z.nullable(sessionShape) }),
  async run(context) {
    const open = sessionIn(await memoryNow(context));
    return { session: open === undefined ? null : sessionRow(open.row) };
  },
});
