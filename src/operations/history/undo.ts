import * as z from 'zod/mini';
import type { Entry } from '#core/graph/event.js';
import { takeBack } from '#core/graph/take-back.js';
import { TroupeError } from '#kernel/errors.js';
import type { GraphContext } from '#operations/contexts.js';
import { argument, option } from '#operations/fields.js';
import { operation } from '#operations/operation.js';
import { eventRows, moveOptions } from '#operations/shapes.js';
import type { GraphStore } from '#ports/graph-store.js';

/**
 * Takes back what was done to tasks since an entry of the log, as long as nothing has followed from it. Errors:
 * `unknown_task`, `bad_input` for an entry beyond the log, `wrong_status` if every task has moved on.
 */
export const undo = operation({
  name: 'task.undo',
  command: 'undo',
  group: 'Tasks',
  kind: 'write',
  scope: 'leader',
  summary: 'Take back an addition, retry, reopen, block, pause or resume that nothing has followed yet',
  examples: ['troupe undo run-the-tests', 'troupe undo run-the-tests write-the-parser --since 12'],
  input: z.strictObject({
    ids: argument('The tasks', z.array(z.string()).check(z.minLength(1)), { names: 'task' }),
    since: option(
      'Entry of the log that did it (default: the last about each task)',
      z.optional(z.int().check(z.minimum(1))),
      { value: 'SEQ' },
    ),
  }),
  output: z.object({
    taken: z.readonly(z.array(z.string())),
    kept: z.readonly(z.array(z.object({ id: z.string(), why: z.string() }))),
    seq: z.number(),
    events: z.array(z.object({ seq: z.number(), op: z.string(), task_id: z.optional(z.string()) })),
  }),
  async run(context: GraphContext, { ids, since: from }) {
    const store = await context.graph();
    const seen = await store.view();
    const since = from ?? (await lastAbout(store, ids));
    if (since > seen.seq)
      throw new TroupeError('bad_input', { what: `The log ends at ${seen.seq}: there is no ${since}.` });
    const before = await store.view(since - 1);
    const entries: Entry[] = [];
    for await (const entry of store.entries(since, seen.seq)) entries.push(entry);
    const commit = await store.commit((view) => {
      const moved = ids.find((id) => JSON.stringify(view.task(id)) !== JSON.stringify(seen.task(id)));
      if (moved !== undefined) throw movedOn(moved);
      return takeBack(view, { before, entries }, ids, moveOptions(context, {}));
    }, context.request);
    return { ...commit.result, seq: commit.seq, events: eventRows(commit.entries) };
  },
});

/** First of the last entries about these tasks. */
async function lastAbout(store: Pick<GraphStore, 'entries'>, ids: readonly string[]): Promise<number> {
  const last = new Map<string, number>();
  for await (const { seq, patch } of store.entries(1)) {
    for (const { id } of patch) if (ids.includes(id)) last.set(id, seq);
  }
  return last.size === 0 ? 1 : Math.min(...last.values());
}

/** A change between reading the log and the commit. */
function movedOn(id: string): TroupeError {
  return new TroupeError('wrong_status', {
    what: `${id} has moved on in this moment.`,
    hint: `Run \`troupe show ${id}\` to see what happened to it.`,
    details: { id },
  });
}
