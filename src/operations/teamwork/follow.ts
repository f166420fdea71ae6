import type { Entry } from '#core/graph/event.js';
import { followTeamWork } from '#core/teams/follow.js';
import type { Context } from '#operations/operation.js';
import { relayOutbox } from '#operations/relay-outbox.js';

/**
 * Tells the teams what the log says of their work since it was last followed. Nothing where no work of a team was ever given, and
 * nothing twice: whoever was faster has told it.
 */
export async function followGraph(context: Parameters<typeof relayOutbox>[0] & Pick<Context, 'teams'>): Promise<void> {
  const teams = await context.teams();
  const from = await teams.followed();
  if (from === undefined) return;
  const store = await context.graph();
  const view = await store.view();
  if (view.teamSeq <= from) return;
  const entries: Entry[] = [];
  for await (const entry of store.entries(from + 1, view.seq)) entries.push(entry);
  if (await teams.change((now) => followTeamWork(now, { from, to: view.seq, entries }, view)))
    await relayOutbox(context);
}
