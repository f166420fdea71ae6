// `team archive`, `team disband`: a team ends only while none of its members works; its remaining tasks are paused.

import * as z from 'zod/mini';
import { holdWork, liveWork, refuseBusy } from '#core/graph/team-hold.js';
import type { GraphView } from '#core/graph/view.js';
import { end } from '#core/mail/close.js';
import type { Conversation } from '#core/mail/conversation.js';
import { type EndStatus, endTeam } from '#core/teams/changes.js';
import type { GraphContext, WorkContext } from '#operations/contexts.js';
import { option } from '#operations/fields.js';
import { graphIfAny } from '#operations/graph-if-any.js';
import { type Context, operation } from '#operations/operation.js';
import { TEAM_NAME } from '#operations/options.js';
import { relayOutbox } from '#operations/relay-outbox.js';
import { flag, moverOf } from '#operations/shapes.js';
import { teamNamed } from './team-lookup.js';
import { changedTeamShape, teamRow } from './team-shapes.js';
import { changeTeams, refuseCastTeam } from './teams.js';

const texts = z.readonly(z.array(z.string()));

const ENDING = {
  group: 'Team',
  kind: 'write',
  graphless: true,
  input: z.strictObject({
    team: TEAM_NAME,
    stop: option('Stop the running work of its members', flag),
  }),
  output: z.extend(changedTeamShape, {
    /** Tasks whose attempts were stopped, tasks that are now paused, and conversations that were withdrawn. */
    stopped: texts,
    paused: texts,
    withdrawn: texts,
  }),
} as const;

export const disband = operation({
  ...ENDING,
  name: 'team.disband',
  command: 'team disband',
  summary: 'Disband a team; all its members leave',
  examples: ['troupe team disband nostromo', 'troupe team disband nostromo --stop'],
  run: async (context: WorkContext, input) => await endAs('disbanded', context, input),
});

export const archive = operation({
  ...ENDING,
  name: 'team.archive',
  command: 'team archive',
  summary: 'Archive a team: it becomes read-only',
  examples: ['troupe team archive airlock', 'troupe team archive airlock --stop'],
  run: async (context: WorkContext, input) => await endAs('archived', context, input),
});

async function endAs(
  status: EndStatus,
  context: WorkContext,
  { team: word, stop = false }: z.infer<typeof ENDING.input>,
): Promise<z.infer<typeof ENDING.output>> {
  await refuseCastTeam(context, word);
  const { id } = await teamNamed(context, word);
  const graph = await graphIfAny(context);
  const stopped = stop && graph ? await stopWork(context, id) : [];
  const before = await graph?.view();
  const hasGraph = before !== undefined;
  const { changed, team } = await changeTeams(context, function* (view, call) {
    const plan = yield* endTeam(view, word, { status, hasGraph }, call);
    if (plan.result.changed && before) refuseBusy(before, plan.result.team);
    return plan;
  });
  const withdrawn = before ? await withdrawConversations(context, before, id, `The team was ${status}.`) : [];
  const entries = hasGraph ? await relayOutbox(context) : [];
  const paused = entries.flatMap(({ op, task_id: task }) => (op === 'pause' && task !== undefined ? [task] : []));
  return { changed, team: teamRow(team), stopped, paused, withdrawn };
}

/** Releases the claims of a team and ends the runs that held them. None of its tasks can start meanwhile. */
async function stopWork(context: GraphContext, teamId: string): Promise<readonly string[]> {
  const store = await context.graph();
  const holders = new Set(liveWork(await store.view(), teamId).map(({ assigned }) => assigned));
  const { result } = await store.commit((view) =>
    holdWork(view, teamId, { now: context.clock.now(), by: moverOf(context), reason: 'its team ends', stop: true }),
  );
  const runs = await context.runs();
  for (const run of holders) if (run !== undefined) await runs.end(run, false);
  return result.stopped;
}

/** Withdraws open conversations from or to tasks of the team, since no member remains to read the replies. */
async function withdrawConversations(
  context: Pick<Context, 'clock' | 'mail'>,
  view: GraphView,
  teamId: string,
  words: string,
): Promise<string[]> {
  const mailStore = await context.mail();
  const ofTeam = ({ openedBy, taskId }: Conversation) =>
    [openedBy, taskId].some((task) => task !== null && view.task(task)?.team === teamId);
  const ids = (await mailStore.open()).filter(ofTeam).map(({ id }) => id);
  const at = context.clock.now();
  for (const id of ids)
    await mailStore.change((now) => end(now, { id, ending: { how: 'withdrawn', words }, at, messageId: `end:${id}` }));
  return ids;
}
