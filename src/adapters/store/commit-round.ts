import { withConsequences } from '#core/graph/consequences.js';
import { type EntryLine, toEntryLines } from '#core/graph/entries.js';
import type { EventDraft } from '#core/graph/event.js';
import { timestamp } from '#kernel/clock.js';
import { freshId } from '#kernel/hash.js';
import type { Json } from '#kernel/json.js';
import { type RequestMark, refuseReused } from '#kernel/request.js';
import type { QueuedCommit } from './commit-queue.js';
import type { Answered, AnsweredRequests } from './kept-answers.js';
import type { LazyGraph } from './lazy-graph.js';

interface RoundInput {
  /** Graph to which each change is applied, visible to the next change. */
  readonly graph: LazyGraph;
  /** Id of the entry that the next one follows. */
  readonly lastId: string | undefined;
  readonly now: number;
  /** Events found on load (hand edits, merges) that must be logged first. */
  readonly pending: readonly EventDraft[];
  readonly answers: AnsweredRequests;
  /** Answers that are decided but not written, by request id; those of this round are added. */
  readonly inFlight: Map<string, Answered>;
  /** Whether other processes may have recorded answers since the last check. */
  readonly mayBeOlder: boolean;
}

export interface DecidedRound {
  /** Log lines to append, in order. */
  readonly lines: readonly EntryLine[];
  readonly lastId: string | undefined;
  /** Settles every change of the round. Call it only after the lines are written. */
  readonly answer: () => void;
}

/**
 * Decides the queued changes in order, each on the state that its predecessors produced. Writes nothing and settles no
 * change yet. A repeated request gets its earlier answer.
 */
export function decideRound(round: readonly QueuedCommit[], ground: RoundInput): DecidedRound {
  const { graph, answers, inFlight, now } = ground;
  const lines: EntryLine[] = [];
  const replies: (() => void)[] = [];
  let { lastId } = ground;
  const chain = (drafts: readonly EventDraft[]) => {
    const sealed = toEntryLines(drafts, { seq: graph.seq, id: lastId }, timestamp(now), freshId);
    const entries = sealed.map(({ entry }) => entry);
    for (const entry of entries) graph.apply(entry);
    lines.push(...sealed);
    lastId = entries.at(-1)?.id ?? lastId;
    return entries;
  };
  if (ground.pending.length > 0) chain(ground.pending);
  for (const queued of round) {
    const { requestId, input, fresh } = queued.request;
    try {
      const before =
        requestId === undefined
          ? undefined
          : (inFlight.get(requestId) ?? answers.of(requestId, ground.mayBeOlder && fresh !== true));
      if (requestId !== undefined && before) {
        refuseReused(requestId, before.input, input);
        replies.push(() => queued.resolve(before.commit));
        continue;
      }
      const plan = withConsequences(graph.present, queued.decide(graph.present), now);
      const entries = chain(withRequest(plan.events, queued.request, plan.result));
      const commit = { seq: graph.seq, entries, result: plan.result };
      if (requestId !== undefined) inFlight.set(requestId, { commit, input });
      replies.push(() => {
        if (requestId !== undefined) answers.keep(requestId, { commit, input });
        queued.resolve(commit);
      });
    } catch (error) {
      replies.push(() => queued.reject(error));
    }
  }
  const answer = () => {
    for (const tell of replies) tell();
  };
  return { lines, lastId, answer };
}

/** Stores request id and result in the last event: after a crash, a repeated request finds its answer in the log. */
function withRequest(
  events: readonly EventDraft[],
  { requestId, input }: RequestMark,
  result: unknown,
): readonly EventDraft[] {
  const last = events.at(-1);
  if (requestId === undefined || !last) return events;
  const request = { id: requestId, ...(input === undefined ? {} : { input }), result: result as Json };
  return [...events.slice(0, -1), { ...last, detail: { ...last.detail, request } }];
}
