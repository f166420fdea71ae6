import type { Entry } from '#core/graph/event.js';
import { type OutboxRow, planOf } from '#core/mail/outbox.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { Outbox } from '#ports/outbox.js';
import type { GraphContext } from './contexts.js';
import type { Context } from './operation.js';

/**
 * Commits all pending outbox rows to the graph, including those of a process that was killed in between. Each row has
 * its own request id, so that concurrent relays commit it once. Returns the committed events.
 */
export async function relayOutbox(context: GraphContext): Promise<readonly Entry[]> {
  const outbox = await context.outbox();
  const entries: Entry[] = [];
  for (;;) {
    const rows = await outbox.pending(TEAM_LIMITS.outboxRows);
    for (const row of rows) entries.push(...(await tell(context, outbox, row)));
    if (rows.length < TEAM_LIMITS.outboxRows) return entries;
  }
}

async function tell(
  context: Pick<Context, 'clock' | 'graph'>,
  outbox: Outbox,
  row: OutboxRow,
): Promise<readonly Entry[]> {
  const store = await context.graph();
  let refusal: TroupeError | undefined;
  const commit = await store.commit(
    (view) => {
      refusal = undefined;
      try {
        return planOf(view, row, context.clock.now());
      } catch (error) {
        // The graph would reject the row again; it must not block later rows.
        if (!(error instanceof TroupeError)) throw error;
        refusal = error;
        return { events: [], result: undefined };
      }
    },
    { requestId: `outbox:${row.id}` },
  );
  await outbox.settle(row.id, refusal === undefined ? 'done' : 'refused');
  return commit.entries;
}
