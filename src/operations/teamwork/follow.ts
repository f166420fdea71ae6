import type { Entry } from '#core/graph/event.js';
import { followTeamWork } from '#core/teams/follow.js';
import type { WorkContext } from '#operations/contexts.js';
import { relayOutbox } from '#operations/relay-outbox.js';

/**
 * Applies log entries since the last call to the stored teams. Does nothing if no team was ever given work. Concurrent
 * calls are safe: each entry is applied once.
 */
export async function followGraph(context: WorkContext): Promise<void> {
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
