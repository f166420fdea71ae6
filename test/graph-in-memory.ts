import { type ArchiveQuery, matchingTasks } from '#core/graph/archived.js';
import { withConsequences } from '#core/graph/consequences.js';
import { departedNodes } from '#core/graph/departed.js';
import { toEntries } from '#core/graph/entries.js';
import type { Entry, Plan } from '#core/graph/event.js';
import { graphText } from '#core/graph/line.js';
import { GraphState } from '#core/graph/state.js';
import { isTask, type Task } from '#core/graph/task.js';
import { momentOf } from '#core/graph/time.js';
import type { GraphView } from '#core/graph/view.js';
import { type Clock, timestamp } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { type RequestMark, refuseReused } from '#kernel/request.js';
import type { Commit, GraphFiles, GraphStore, StoreProblem } from '#ports/graph-store.js';

/** The graph of a simulation or a test: behaves as on disk, but ends with the process. */
export class GraphInMemory implements GraphStore {
  readonly files: GraphFiles = {
    text: async (view) => graphText(view.nodes(), [], []),
    snapshot: async () => this.state.seq,
    rotate: async () => undefined,
  };
  readonly clock: Clock;
  private readonly state = new GraphState();
  private readonly log: Entry[] = [];
  private readonly answered = new Map<
    string,
    { readonly commit: Commit<unknown>; readonly input: string | undefined }
  >();
  private wake: (() => void)[] = [];
  private closed = false;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  async view(at?: number | string): Promise<GraphView> {
    const seq = typeof at === 'string' ? this.seqUntil(momentOf(at)) : at;
    if (seq === undefined || seq >= this.state.seq) return this.state.freeze();
    const earlier = new GraphState();
    for (const entry of this.log) if (entry.seq <= seq) earlier.apply(entry);
    return earlier;
  }

  async commit<Result>(
    decide: (view: GraphView) => Plan<Result>,
    { requestId, input }: RequestMark = {},
  ): Promise<Commit<Result>> {
    if (this.closed) throw new TroupeError('internal', { what: 'The store is closed.' });
    const before = requestId === undefined ? undefined : this.answered.get(requestId);
    if (requestId !== undefined && before) {
      refuseReused(requestId, before.input, input);
      return before.commit as Commit<Result>;
    }
    const plan = withConsequences(this.state, decide(this.state), this.clock.now());
    const last = this.log.at(-1);
    const entries = toEntries(
      structuredClone(plan.events),
      { seq: this.state.seq, id: last?.id },
      timestamp(this.clock.now()),
      () => `m${this.log.length}-${Math.trunc(this.clock.now())}`,
    );
    for (const entry of entries) {
      this.state.apply(entry);
      this.log.push(entry);
    }
    const commit: Commit<Result> = { seq: this.state.seq, entries, result: plan.result };
    if (requestId !== undefined) this.answered.set(requestId, { commit, input });
    if (entries.length > 0) this.wakeFollowers();
    return commit;
  }

  async *entries(from: number, to = Number.POSITIVE_INFINITY): AsyncIterable<Entry> {
    for (const entry of this.log) if (entry.seq >= from && entry.seq <= to) yield entry;
  }

  async *follow(from: number, signal: AbortSignal): AsyncIterable<Entry> {
    let next = from;
    const stop = () => this.wakeFollowers();
    signal.addEventListener('abort', stop);
    try {
      while (!signal.aborted && !this.closed) {
        for (const entry of this.log.slice(Math.max(0, next - 1))) {
          if (signal.aborted) return;
          yield entry;
          next = entry.seq + 1;
        }
        if (next > this.state.seq && !signal.aborted && !this.closed) {
          await new Promise<void>((resolve) => this.wake.push(resolve));
        }
      }
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  async archived(query: ArchiveQuery): Promise<readonly Task[]> {
    const departedTasks = this.log.flatMap(departedNodes).filter(isTask);
    const present = (task: Task) => {
      const departed = this.state.departed(task.id);
      return departed?.to === 'archive' && departed.seq === task.rev;
    };
    return matchingTasks(departedTasks.filter(present), query);
  }

  async health(): Promise<readonly StoreProblem[]> {
    return [];
  }

  async close(): Promise<void> {
    this.closed = true;
    this.wakeFollowers();
  }

  private seqUntil(moment: number): number {
    return this.log.findLast((entry) => Date.parse(entry.timestamp) <= moment)?.seq ?? 0;
  }

  private wakeFollowers(): void {
    const waiting = this.wake;
    this.wake = [];
    for (const resolve of waiting) resolve();
  }
}
