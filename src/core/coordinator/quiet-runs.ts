import type { RunFact, Terms } from '#core/coordinator/snapshot.js';
import type { Tick } from '#core/coordinator/tick.js';
import type { GraphDraft } from '#core/graph/view.js';
import { placesIn } from '#kernel/kept-values.js';
import { compareText } from '#kernel/order.js';

/** Time of a run that has to be looked at in each pass. */
const RESTLESS = 0;

interface Pass {
  readonly graph: GraphDraft;
  readonly terms: Terms;
  readonly runs: readonly RunFact[];
  readonly tasks: readonly string[];
  /** Times until which nothing about the runs can become due, by position. */
  readonly until: Float64Array;
  /** Slots of this machine that runs occupy, by position. */
  readonly takesSlot: Uint8Array;
}

/** The last pass, of any project: another one finds none of its runs in it and looks at all. */
let last: Pass | undefined;

/**
 * The runs of a pass, by id, and which of them are as they were when nothing was to be decided: their facts, which are
 * other objects as soon as anything about the run changes, and their tasks are the same, and nothing has become due. Of
 * ten thousand runs few change between two passes, and to read all of them is what a pass costs.
 */
export class PassedRuns {
  readonly runs: readonly RunFact[];
  private readonly quiet: Uint8Array;
  private readonly pass: Pass;

  constructor({ graph, facts, now }: Tick) {
    const { terms } = facts;
    const before = last;
    const isSame = before?.terms.idleMs === terms.idleMs && before.terms.leaseGraceMs === terms.leaseGraceMs;
    const changed = isSame ? graph.changedSince(before.graph) : undefined;
    const known = before === undefined || changed === undefined ? [] : before.runs;
    let places = placesIn(known, facts.runs);
    this.runs = facts.runs;
    if (!isInOrder(facts.runs, places)) {
      this.runs = [...facts.runs].sort((left, right) => compare(left.id, right.id));
      places = placesIn(known, this.runs);
    }
    const { length } = this.runs;
    const until = new Float64Array(length);
    const takesSlot = new Uint8Array(length);
    this.quiet = new Uint8Array(length);
    const tasks = this.runs.map((run, at) => {
      const place = places[at] ?? -1;
      const task = before?.tasks[place];
      if (before === undefined || task === undefined || changed?.has(task) === true) return run.taskId;
      until[at] = before.until[place] ?? RESTLESS;
      takesSlot[at] = before.takesSlot[place] ?? 0;
      this.quiet[at] = until[at] !== RESTLESS && now <= until[at] ? 1 : 0;
      return task;
    });
    this.pass = { graph: graph.fork(), terms, runs: this.runs, tasks, until, takesSlot };
    last = this.pass;
  }

  isQuiet(at: number): boolean {
    return this.quiet[at] === 1;
  }

  /** Slots of this machine that runs occupy. */
  get slots(): number {
    return this.pass.takesSlot.reduce((sum, slot) => sum + slot, 0);
  }

  /** Remembers what was found about a run: whether it occupies a slot, and until when nothing is to be decided. */
  remember(
    at: number,
    { takesSlot, until = RESTLESS }: { readonly takesSlot: boolean; readonly until?: number },
  ): void {
    this.pass.takesSlot[at] = takesSlot ? 1 : 0;
    this.pass.until[at] = until;
  }
}

/** Time until which nothing about a run can become due: the end of its lease, its time or its patience. */
export function dueAt(run: RunFact, { idleMs, leaseGraceMs }: Terms): number {
  return Math.min(
    run.startedAt + run.timeoutMs,
    run.leaseUntil === undefined ? Number.POSITIVE_INFINITY : run.leaseUntil + leaseGraceMs,
    run.progressAt === undefined ? Number.POSITIVE_INFINITY : run.progressAt + idleMs,
  );
}

/** Whether the runs are in the order of their ids. Those with a place in a list that was in order need not be read. */
function isInOrder(runs: readonly RunFact[], places: Int32Array): boolean {
  return runs.every((run, at) => {
    const before = runs[at - 1];
    if (before === undefined || (places[at] !== -1 && places[at - 1] !== -1)) return true;
    return compare(before.id, run.id) <= 0;
  });
}

/** Compares numbers inside ids by value: agent-10 comes after agent-9. */
function compare(left: string, right: string): number {
  return left.length - right.length || compareText(left, right);
}
