import * as z from 'zod/mini';
import type { Readiness } from '#core/graph/ready.js';
import { SHOWN_STATES } from '#core/graph/status-look.js';
import type { Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { actsOn, ROW_ACTS, type RowAct } from '#core/insight/acts.js';
import { commonReason, groupAlike } from '#core/insight/alike.js';
import type { NowFacts } from './now-row.js';
import { notRunningReason, shownTaskState } from './status-shapes.js';

/** Rows that a group keeps in its list, and tasks it names: all that one act on the group reaches. */
export const ALIKE_ROWS = 5;
const ALIKE_IDS = 200;

/** Tasks that need the same act of a person for the same reason. */
export const alikeShape = z.object({
  act: z.enum(ROW_ACTS),
  state: z.enum(SHOWN_STATES),
  reason: z.string(),
  /** The first of them, at most `ALIKE_IDS`, and the number of all. */
  ids: z.array(z.string()),
  total: z.number(),
  /** When the first of them began to wait. */
  since: z.optional(z.string()),
});

type TaskState = readonly [Task, Readiness];

/** Acts that need no words of a person, and so can be done to many tasks at once. */
const WORDLESS: ReadonlySet<RowAct | undefined> = new Set(['retry', 'reopen']);

/** Groups of rows, and the rows of which each group keeps only the first few, so that others find room beside it. */
export function alikeAmong(view: GraphView, entries: readonly TaskState[], { person }: Pick<NowFacts, 'person'>) {
  if (person === undefined) return { alike: [], entries };
  const common = new Map<string, string>();
  const rows = entries.flatMap((entry) => {
    const [task, ready] = entry;
    const [act] =
      task.status === 'failed' || task.status === 'blocked'
        ? actsOn(view, task, { ready: ready.ready, live: false, watched: true }, person)
        : [];
    if (act === undefined || !WORDLESS.has(act)) return [];
    const said = notRunningReason(view, task, ready, false) ?? '';
    const reason = common.get(said) ?? commonReason(said);
    common.set(said, reason);
    return [{ id: task.id, act, reason, said, entry }];
  });
  const groups = groupAlike(rows);
  const beyond = new Set(groups.flatMap(({ rows: alike }) => alike.slice(ALIKE_ROWS).map(({ entry }) => entry)));
  const alike = groups.flatMap(({ reason, rows: [first, ...others] }) => {
    if (first === undefined) return [];
    const all = [first, ...others];
    const [task, ready] = first.entry;
    const since = all
      .map(({ entry: [{ completed_at: ended }] }) => ended ?? '')
      .reduce((a, b) => (b !== '' && b < a ? b : a));
    return [
      {
        act: first.act,
        state: shownTaskState(task, ready),
        reason: all.every(({ said }) => said === first.said) ? first.said : reason,
        ids: all.slice(0, ALIKE_IDS).map(({ id }) => id),
        total: all.length,
        ...(since === '' ? {} : { since }),
      },
    ];
  });
  return { alike, entries: entries.filter((entry) => !beyond.has(entry)) };
}
