import * as z from 'zod/mini';
import type { Entry } from '#core/graph/event.js';
import type { GraphView } from '#core/graph/view.js';
import { PastGraphs } from '#core/history/past-graphs.js';
import { taskOfEntry } from '#core/history/watch-event.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { keptFrom } from '#operations/kept-log.js';
import { text } from '#operations/shapes.js';
import type { GraphStore } from '#ports/graph-store.js';

/** A moment of the log: its event, and the nearest ones around it that change what is drawn. */
export const momentShape = z.object({
  /** First event of the log that can be shown. */
  first: z.number(),
  seq: z.number(),
  timestamp: z.string(),
  op: z.string(),
  actor: text,
  task: text,
  title: text,
  /** Status of that task from this event on, if the event is about it. */
  status: text,
  before: z.optional(z.number()),
  next: z.optional(z.number()),
});

/** Reads the last part of a log once. */
const pastGraphs = keptFrom(async (store) => {
  const { seq } = await store.view();
  const from = await firstFrom(store, Math.max(1, seq - TEAM_LIMITS.pastEvents + 1));
  const before = from > 1 ? await store.view(from - 1) : undefined;
  return { made: new PastGraphs(before, TEAM_LIMITS.pastEvents), seq: from - 1 };
});

/** First entry that exists from there on: old ones may be missing. */
async function firstFrom(store: GraphStore, from: number): Promise<number> {
  for await (const { seq } of store.entries(from)) return seq;
  return from;
}

/** The graph after an event, and the moment of that event. Errors: `not_found` while the log is empty. */
export async function momentAt(store: GraphStore, seq: number) {
  const past = await pastGraphs(store);
  const found = past.at(seq);
  if (found === undefined)
    throw new TroupeError('not_found', { what: 'Nothing has happened yet.', hint: 'Run `troupe add TITLE` first.' });
  const { view, entry } = found;
  return {
    view,
    now: Date.parse(entry.timestamp),
    moment: { first: past.first?.seq ?? entry.seq, ...eventOf(view, entry), ...past.around(entry.seq) },
  };
}

function eventOf(view: GraphView, entry: Entry) {
  const { seq, timestamp, op, actor, patch } = entry;
  const task = taskOfEntry(entry);
  const own = patch.find(({ id }) => id === task);
  const title = task === undefined ? undefined : (view.task(task)?.title ?? titleIn(own));
  const isMoved = own !== undefined && ('put' in own || ('set' in own && own.set?.['status'] !== undefined));
  const status = task !== undefined && isMoved ? view.task(task)?.status : undefined;
  return {
    seq,
    timestamp,
    op,
    ...(actor === undefined ? {} : { actor }),
    ...(task === undefined ? {} : { task }),
    ...(title === undefined ? {} : { title }),
    ...(status === undefined ? {} : { status }),
  };
}

/** Title of a task that this event removed. */
function titleIn(patch: Entry['patch'][number] | undefined): string | undefined {
  const title = patch !== undefined && 'del' in patch ? patch.kept?.['title'] : undefined;
  return typeof title === 'string' ? title : undefined;
}
