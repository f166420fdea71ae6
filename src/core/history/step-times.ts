// Times of a task, from the log: what it was at, how long, and the decisions about it.
import * as z from 'zod/mini';
import type { Entry, Patch } from '#core/graph/event.js';
import { isStatus, isTerminal, type Status, type Task } from '#core/graph/task.js';

export const SPAN_STATES = ['in-progress', 'waiting', 'pending-validation', 'blocked'] as const;
type SpanState = (typeof SPAN_STATES)[number];

/** Span of work at a task, or of waiting for an act. Without `to` it lasts. */
export interface StepSpan {
  readonly state: SpanState;
  readonly from: string;
  readonly to?: string;
}

export const STEP_VERDICTS = ['approved', 'rejected', 'passed', 'not-passed', 'failed'] as const;

/** A decision of a person, the outcome of a gate, or a failure. */
export const stepVerdictShape = z.object({
  at: z.string(),
  verdict: z.enum(STEP_VERDICTS),
  by: z.optional(z.string()),
  reason: z.optional(z.string()),
});
export type StepVerdict = z.infer<typeof stepVerdictShape>;

interface Change {
  readonly at: string;
  /** Undefined once it is not in the graph. */
  readonly status: Status | undefined;
}

interface History {
  readonly changes: Change[];
  readonly verdicts: StepVerdict[];
}

/** Changes of status of all tasks, and decisions about them: each entry of the log is added once. */
export class StepTimes {
  private readonly byTask = new Map<string, History>();

  add(entry: Entry): void {
    const at = entry.timestamp;
    for (const patch of entry.patch) {
      const status = statusIn(patch);
      if (status === undefined) continue;
      const { changes } = this.historyOf(patch.id);
      if (changes.at(-1)?.status !== status.now) changes.push({ at, status: status.now });
      if (status.now === 'failed' && entry.op !== 'reject') this.judge(patch.id, { at, verdict: 'failed' }, entry);
    }
    const { run, phase, failed } = entry.detail ?? {};
    if (entry.op === 'formation_phase' && typeof run === 'string' && typeof phase === 'string')
      this.judge(`${run}-${phase}`, { at, verdict: failed === true ? 'not-passed' : 'passed' });
    if (entry.task_id === undefined) return;
    if (entry.op === 'approve') this.judge(entry.task_id, { at, verdict: 'approved' }, entry);
    if (entry.op === 'reject') this.judge(entry.task_id, { at, verdict: 'rejected' }, entry);
  }

  /** When its first end was; undefined if there was none. */
  endOf(id: string): string | undefined {
    return this.byTask.get(id)?.changes.find(({ status }) => status !== undefined && isTerminal(status))?.at;
  }

  /** Times of a task as it is now. A gate is judged by its own end. */
  of(task: Task, isGate: boolean): { readonly spans: readonly StepSpan[]; readonly verdicts: readonly StepVerdict[] } {
    const { changes = [], verdicts = [] } = this.byTask.get(task.id) ?? {};
    const spans = spansOf(changes);
    const { started_at: from, completed_at: to } = task;
    // A task from elsewhere brings its times, not their events.
    if (!spans.some(({ state }) => state === 'in-progress') && from !== undefined)
      spans.unshift({ state: 'in-progress', from, ...(to === undefined ? {} : { to }) });
    if (!isGate || verdicts.some(({ verdict }) => verdict === 'approved')) return { spans, verdicts };
    const ends = changes.flatMap(({ at, status }): StepVerdict[] =>
      status === 'done' ? [{ at, verdict: 'passed' }] : status === 'abandoned' ? [{ at, verdict: 'not-passed' }] : [],
    );
    return {
      spans,
      verdicts: [...verdicts, ...ends].sort((left, right) => Date.parse(left.at) - Date.parse(right.at)),
    };
  }

  private judge(id: string, verdict: StepVerdict, { actor, patch }: Partial<Entry> = {}): void {
    const own = patch?.find((one) => one.id === id);
    const reason = own !== undefined && 'set' in own ? own.set?.['failure_reason'] : undefined;
    this.historyOf(id).verdicts.push({
      ...verdict,
      ...(actor === undefined ? {} : { by: actor }),
      ...(typeof reason === 'string' && verdict.verdict !== 'approved' ? { reason } : {}),
    });
  }

  private historyOf(id: string): History {
    const history = this.byTask.get(id) ?? { changes: [], verdicts: [] };
    this.byTask.set(id, history);
    return history;
  }
}

/** Status that a patch brings; undefined if it brings none. */
function statusIn(patch: Patch): { readonly now: Status | undefined } | undefined {
  if ('del' in patch) return { now: undefined };
  const status = 'put' in patch ? patch.put['status'] : patch.set?.['status'];
  return isStatus(status) ? { now: status } : undefined;
}

function spansOf(changes: readonly Change[]): StepSpan[] {
  return changes.flatMap(({ at, status }, index): StepSpan[] => {
    const state = SPAN_STATES.find((candidate) => candidate === status);
    const to = changes[index + 1]?.at;
    return state === undefined ? [] : [{ state, from: at, ...(to === undefined ? {} : { to }) }];
  });
}
