import type { withConsequences } from '#core/graph/consequences.js';
import { entryLine, toEntries } from '#core/graph/entries.js';
import type { EventDraft, Plan } from '#core/graph/event.js';
import type { GraphView } from '#core/graph/view.js';
import { timestamp } from '#kernel/clock.js';
import { freshId } from '#kernel/hash.js';
import type { Commit } from '#ports/graph-store.js';
import { type Answers, withRequest } from './answers.js';
import type { LazyGraph } from './lazy-graph.js';

/** A change that waits for its turn, and whoever waits for it. */
export interface Queued {
  readonly decide: (view: GraphView) => Plan<unknown>;
  readonly requestId: string | undefined;
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
  readonly withConsequences: typeof withConsequences;
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
  const told: (() => void)[] = [];
  let { lastId } = ground;
  const chain = (drafts: readonly EventDraft[]) => {
    const entries = toEntries(drafts, { seq: graph.seq, id: lastId }, timestamp(now), freshId);
    const texts = entries.map(entryLine);
    for (const entry of entries) graph.apply(entry);
    lines.push(...texts);
    lastId = entries.at(-1)?.id ?? lastId;
    return entries;
  };
  if (ground.pending.length > 0) chain(ground.pending);
  const inRound = new Map<string, Commit<unknown>>();
  for (const queued of round) {
    const { requestId } = queued;
    const before =
      requestId === undefined ? undefined : (inRound.get(requestId) ?? answers.of(requestId, ground.mayBeOlder));
    if (before) {
      told.push(() => queued.resolve(before));
      continue;
    }
    try {
      const plan = ground.withConsequences(graph.present, queued.decide(graph.present), now);
      const entries = chain(withRequest(plan.events, requestId, plan.result));
      const commit = { seq: graph.seq, entries, result: plan.result };
      if (requestId !== undefined) inRound.set(requestId, commit);
      told.push(() => {
        if (requestId !== undefined) answers.keep(requestId, commit);
        queued.resolve(commit);
      });
    } catch (error) {
      told.push(() => queued.reject(error));
    }
  }
  const answer = () => {
    for (const tell of told) tell();
  };
  return { lines, lastId, answer };
}
