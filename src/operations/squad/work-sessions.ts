import * as z from 'zod/mini';
import { checkedLine, checkedText } from '#core/squad/memory.js';
import { changeWorkSession, openWorkSession, sessionIn } from '#core/squad/memory-changes.js';
import { rowAt } from '#core/squad/memory-state.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { TeamContext } from '#operations/contexts.js';
import { argument, option } from '#operations/fields.js';
import { operation } from '#operations/operation.js';
import { SESSIONS_PATH } from '#operations/resource-paths.js';
import { text } from '#operations/shapes.js';
import { provenance, storedText, unfit } from './memories.js';
import { fitting, limit, sessionRow, sessionShape } from './memory-shapes.js';
import { changeMemory, memoryNow } from './shared-memory.js';

/** Starts a session of the team; only one can be open. */
export const sessionStart = operation({
  name: 'teamsession.start',
  command: 'session start',
  group: 'Memory',
  kind: 'write',
  graphless: true,
  summary: 'Start a team session',
  examples: [
    'troupe session start "The first release"',
    'troupe session start "The parser" --context "The grammar is in docs/grammar.md."',
  ],
  resource: [
    { method: 'POST', path: SESSIONS_PATH, summary: 'Starts a session.', status: 201, fields: ['focus', 'context'] },
  ],
  input: z.strictObject({
    focus: argument('Its focus, in one line', z.string()),
    context: option('What is needed to continue, as Markdown', text, { value: 'TEXT' }),
  }),
  output: sessionShape,
  async run(context: TeamContext, { focus, context: around = '' }) {
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
  command: 'session change',
  group: 'Memory',
  kind: 'write',
  graphless: true,
  summary: 'Change or end the open team session',
  examples: ['troupe session change --focus "The second release"', 'troupe session change --end'],
  resource: [
    {
      method: 'PUT',
      path: `${SESSIONS_PATH}/current`,
      summary: 'Changes or ends the session that is open.',
      fields: ['focus', 'context', 'end'],
    },
  ],
  input: z.strictObject({
    focus: option('Its new focus', text, { value: 'TEXT' }),
    context: option('What is needed to continue, as Markdown', text, { value: 'TEXT' }),
    end: option('End the session', z.optional(z.boolean())),
  }),
  output: sessionShape,
  async run(context: TeamContext, { focus, context: around, end }) {
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
  command: 'session list',
  group: 'Memory',
  kind: 'read',
  graphless: true,
  instead: 'session show --all',
  summary: 'List the sessions of the team',
  examples: ['troupe session show --all', 'troupe session show --all --limit 5'],
  resource: [{ method: 'GET', path: SESSIONS_PATH, summary: 'The sessions of the team.', fields: ['limit'] }],
  input: z.strictObject({ limit: option('Only the latest N', limit, { value: 'N' }) }),
  output: z.object({ sessions: z.array(sessionShape) }),
  async run(context: TeamContext, { limit: most }) {
    const { sessions } = await memoryNow(context);
    const latest = sessions.slice(-(most ?? TEAM_LIMITS.memoryRowsListed));
    return { sessions: fitting(latest.map(({ row }) => sessionRow(row))) };
  },
});

/** Returns the open session of the team. */
export const sessionShow = operation({
  name: 'teamsession.show',
  command: 'session show',
  group: 'Memory',
  kind: 'read',
  graphless: true,
  summary: 'Show the open session of the team',
  examples: ['troupe session show', 'troupe session show --json'],
  resource: [
    {
      method: 'GET',
      path: `${SESSIONS_PATH}/current`,
      summary: 'The session that is open.',
      answer: { part: 'session', missing: 'No session of the team is open.' },
    },
  ],
  input: z.strictObject({}),
  output: z.object({ session: z.nullable(sessionShape) }),
  async run(context: TeamContext) {
    const open = sessionIn(await memoryNow(context));
    return { session: open === undefined ? null : sessionRow(open.row) };
  },
});
