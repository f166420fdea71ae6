import { withConsequences } from '#core/graph/consequences.js';
import { toEntryLines } from '#core/graph/entries.js';
import type { EventDraft, Plan } from '#core/graph/event.js';
import type { GraphView } from '#core/graph/view.js';
import { type Clock, timestamp } from '#kernel/clock.js';
import { assert } from '#kernel/errors.js';
import type { GraphLayout } from '#kernel/graph-folder.js';
import { freshId } from '#kernel/hash.js';
import type { Json } from '#kernel/json.js';
import { LIMITS } from '#kernel/limits.js';
import { type RequestMark, refuseReused } from '#kernel/request.js';
import type { Commit } from '#ports/graph-store.js';
import type { answeredSince } from './answered-lines.js';
import type { LazyGraph } from './lazy-graph.js';

/** A change that waits for its turn, and whoever waits for it. */
export interface Queued {
  readonly decide: (view: GraphView) => Plan<unknown>;
  readonly request: RequestMark;
  readonly resolve: (commit: Commit<unknown>) => void;
  readonly reject: (error: unknown) => void;
}

interface Ground {
  /** Each change is applied to it, so that the next one sees it. */
  readonly graph: LazyGraph;
  /** Id of the entry that the next one follows. */
  readonly lastId: string | undefined;
  readonly now: number;
  /** What was found in the files and has to be written down first. */
  readonly pending: readonly EventDraft[];
  readonly answers: Answers;
  /** Whether other processes may have written answers since the last look. */
  readonly mayBeOlder: boolean;
}

interface Decided {
  /** Of the log, in order, with their ends of line. */
  readonly lines: readonly string[];
  readonly lastId: string | undefined;
  /** Tells everybody; to be called when the lines are written. */
  readonly answer: () => void;
}

/**
 * Decides what is queued, one after the other, each on what those before it made. Nothing is written yet and nobody was
 * answered. A request that was answered before gets the same answer again.
 */
export function decideRound(round: readonly Queued[], ground: Ground): Decided {
  const { graph, answers, now } = ground;
  const lines: string[] = [];
  const replies: (() => void)[] = [];
  let { lastId } = ground;
  const chain = (drafts: readonly EventDraft[]) => {
    const sealed = toEntryLines(drafts, { seq: graph.seq, id: lastId }, timestamp(now), freshId);
    const entries = sealed.map(({ entry }) => entry);
    for (const entry of entries) graph.apply(entry);
    lines.push(...sealed.map(({ line }) => line));
    lastId = entries.at(-1)?.id ?? lastId;
    return entries;
  };
  if (ground.pending.length > 0) chain(ground.pending);
  const inRound = new Map<string, Answered>();
  for (const queued of round) {
    const { requestId, input, fresh } = queued.request;
    try {
      const before =
        requestId === undefined
          ? undefined
          : (inRound.get(requestId) ?? answers.of(requestId, ground.mayBeOlder && fresh !== true));
      if (requestId !== undefined && before) {
        refuseReused(requestId, before.input, input);
        replies.push(() => queued.resolve(before.commit));
        continue;
      }
      const plan = withConsequences(graph.present, queued.decide(graph.present), now);
      const entries = chain(withRequest(plan.events, queued.request, plan.result));
      const commit = { seq: graph.seq, entries, result: plan.result };
      if (requestId !== undefined) inRound.set(requestId, { commit, input });
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

/** The answer to a request, and the hash of what was asked where that was kept. */
interface Answered {
  readonly commit: Commit<unknown>;
  readonly input: string | undefined;
}

/** What requests were answered with, so that asking twice does not do it twice. Whoever answered may have died before saying so. */
export class Answers {
  private readonly paths: GraphLayout;
  private readonly clock: Clock;
  private readonly answered = new Map<string, Answered>();
  private search: typeof answeredSince | undefined;

  constructor(paths: GraphLayout, clock: Clock) {
    this.paths = paths;
    this.clock = clock;
  }

  /** Loads what looks into the log: few commands ask what was asked before. */
  async prepare(): Promise<void> {
    this.search ??= (await import('./answered-lines.js')).answeredSince;
  }

  /** `lookAgain`: others may have answered since. */
  of(requestId: string, lookAgain: boolean): Answered | undefined {
    return this.answered.get(requestId) ?? (lookAgain ? this.inLog(requestId)[0]?.[1] : undefined);
  }

  keep(requestId: string, answered: Answered): void {
    this.answered.set(requestId, answered);
    const oldest = this.answered.keys().next();
    if (this.answered.size > LIMITS.answeredMost && !oldest.done) this.answered.delete(oldest.value);
  }

  /** Finds what the log says was answered lately: whoever answered may have been killed before saying so. */
  async recall(): Promise<void> {
    await this.prepare();
    for (const [id, answered] of this.inLog().slice(-LIMITS.answeredMost)) this.keep(id, answered);
  }

  private inLog(requestId?: string): [string, Answered][] {
    assert(this.search, 'whoever looks into the log has prepared for it');
    return this.search(this.paths, this.clock.now() - LIMITS.answeredMs, requestId).map(
      ({ entry, request: { id, input, result } }) => [
        id,
        { commit: { seq: entry.seq, entries: [entry], result }, input },
      ],
    );
  }
}

/** A request's id and result travel with its last event, so that a repeated request finds its answer after a crash. */
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
