import type { RunFact, Terms } from '#core/coordinator/snapshot.js';
import type { Tick } from '#core/coordinator/tick.js';
import type { GraphDraft } from '#core/graph/view.js';
import { listChanges } from '#kernel/list-changes.js';
import { compareText } from '#kernel/order.js';

/** Finding about a run. */
interface Finding {
  /** Whether it occupies a slot of this machine. */
  readonly takesSlot: boolean;
  /** Time until which nothing about it can become due; undefined if it has to be looked at in each pass. */
  readonly until?: number | undefined;
}

const UNKNOWN: Finding = { takesSlot: false };

/** Findings of earlier passes about the runs of one project. */
class Findings {
  private runs: readonly RunFact[] = [];
  private readonly found = new Map<RunFact, Finding>();
  private readonly byTask = new Map<string, Set<RunFact>>();
  /** Runs without a time until which nothing is to be decided. */
  private readonly restless = new Set<RunFact>();
  /** No other run becomes due before this time. */
  private firstDue = Number.POSITIVE_INFINITY;
  /** Number of slots of this machine that runs occupy. */
  slots = 0;

  /** Forgets what was found about runs that changed, whose task changed, or that became due. */
  update(runs: readonly RunFact[], changedTasks: Iterable<string>, now: number): void {
    const { gone, come } = listChanges(this.runs, runs);
    for (const run of gone) this.delete(run);
    for (const run of come) this.add(run);
    for (const task of changedTasks) for (const run of this.byTask.get(task) ?? []) this.set(run, UNKNOWN);
    if (now > this.firstDue) this.forgetDue(now);
    this.runs = runs;
  }

  set(run: RunFact, finding: Finding): void {
    this.slots += Number(finding.takesSlot) - Number(this.found.get(run)?.takesSlot ?? false);
    this.found.set(run, finding);
    if (finding.until === undefined) this.restless.add(run);
    else {
      this.restless.delete(run);
      this.firstDue = Math.min(this.firstDue, finding.until);
    }
  }

  unsettled(): RunFact[] {
    return [...this.restless];
  }

  private add(run: RunFact): void {
    const ofTask = this.byTask.get(run.taskId) ?? new Set();
    this.byTask.set(run.taskId, ofTask.add(run));
    this.set(run, UNKNOWN);
  }

  private delete(run: RunFact): void {
    this.set(run, UNKNOWN);
    this.found.delete(run);
    this.restless.delete(run);
    const ofTask = this.byTask.get(run.taskId);
    ofTask?.delete(run);
    if (ofTask?.size === 0) this.byTask.delete(run.taskId);
  }

  private forgetDue(now: number): void {
    this.firstDue = Number.POSITIVE_INFINITY;
    for (const [run, { until }] of this.found) {
      if (until === undefined) continue;
      if (now > until) this.set(run, UNKNOWN);
      else this.firstDue = Math.min(this.firstDue, until);
    }
  }
}

interface Pass {
  readonly graph: GraphDraft;
  readonly terms: Terms;
  readonly findings: Findings;
}

/** The last pass, of any project: one of another project looks at all of its runs. */
let last: Pass | undefined;

/**
 * Runs of a pass, and which of them are as they were when nothing was to be decided: their facts, which are other
 * objects as soon as anything about the run changes, and their tasks are the same, and nothing has become due. A pass
 * over ten thousand runs takes as long as those few take that have to be looked at.
 */
export class PassedRuns {
  private readonly runs: readonly RunFact[];
  private readonly findings: Findings;
  private readonly now: number;

  constructor({ graph, facts, now }: Tick) {
    const { terms, runs } = facts;
    const before = last;
    const isSame = before?.terms.idleMs === terms.idleMs && before.terms.leaseGraceMs === terms.leaseGraceMs;
    const changed = isSame ? graph.changedSince(before.graph) : undefined;
    this.runs = runs;
    this.now = now;
    this.findings = before === undefined || changed === undefined ? new Findings() : before.findings;
    last = { graph: graph.fork(), terms, findings: this.findings };
    this.findings.update(runs, changed ?? [], now);
  }

  /** Slots of this machine that runs occupy. */
  get slots(): number {
    return this.findings.slots;
  }

  /** Runs about which something may have to be decided, in the order of their ids. */
  unsettled(): readonly RunFact[] {
    return this.findings.unsettled().sort(byRunId);
  }

  /** All runs, in the order of their ids. */
  all(): readonly RunFact[] {
    return [...this.runs].sort(byRunId);
  }

  /** Records what was found about a run. */
  remember(run: RunFact, { takesSlot, until }: Finding): void {
    const isQuiet = until !== undefined && this.now <= until;
    this.findings.set(run, { takesSlot, until: isQuiet ? until : undefined });
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

/** Compares numbers inside ids by value: agent-10 comes after agent-9. */
function byRunId(left: RunFact, right: RunFact): number {
  return left.id.length - right.id.length || compareText(left.id, right.id);
}
