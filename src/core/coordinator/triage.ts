import * as z from 'zod/mini';
import { allowance, allowsAnother, setAsideAllWork } from '#core/graph/attempts.js';
import { type Plan, withFieldPatch, withFields } from '#core/graph/event.js';
import { failTask, type Mover, unclaimTask } from '#core/graph/moves.js';
import type { NodeFields, Task } from '#core/graph/task.js';
import { fieldsOf, taskField, textField } from '#core/graph/task-field.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { type Block, objectIn } from '#kernel/question.js';
import { redact } from '#kernel/secrets.js';
import { type ErrandFailure, ErrandKind } from './errand.js';
import type { RunFact } from './snapshot.js';
import type { BaseDecision, Tick } from './tick.js';

export const RECOVERY = taskField('recovery', textField);

export const TRIAGE = new ErrandKind<TriageResult>('triage');

/** Asks a model how far a dead run had come. */
export interface TriageDecision extends BaseDecision {
  readonly do: 'triage';
  readonly run: string;
  readonly task: string;
  readonly fence: number;
}

/** Whether this run is being examined now. */
export function isUnderTriage(tick: Tick, run: string): boolean {
  return tick.facts.errands.underWay.has(TRIAGE.key(run));
}

/**
 * Result of examining a dead run: `ask`, the decision that requests it; nothing while it is under way; or the answer.
 * Its task stays claimed meanwhile: no other run starts it, and after a crash of the service the question is asked
 * again.
 */
export function examineDeadRun(tick: Tick, run: RunFact, task: Task): { ask?: TriageDecision; answer?: TriageResult } {
  const { errands } = tick.facts;
  const key = TRIAGE.key(run.id);
  const answer = TRIAGE.answer(errands, key);
  if (answer) return { answer: verdictOf(answer, task) };
  if (errands.underWay.has(key)) return {};
  const reason = 'It died, and a model is asked how far it had come';
  return { ask: { do: 'triage', run: run.id, task: task.id, fence: run.fence, reason, events: [] } };
}

/** Verdict of an answer; if the errand failed, the verdict follows from the task's checkpoint alone. */
function verdictOf(answer: TriageResult | ErrandFailure, task: Task): TriageResult {
  if (answer.of === 'triage') return answer;
  const verdict = verdictWithout({ checkpoint: task.checkpoint !== undefined, commits: false });
  return { of: 'triage', verdict, reason: `no model could be asked: ${answer.text}` };
}

/**
 * Whether the run had finished, as far as that is known without running a check. It then ends like a successful run.
 */
export function hadFinished(task: Task, { verdict }: TriageResult): boolean {
  return verdict === 'done' && task.verify_cmd === undefined;
}

/** Adds to the task's log the reason why a dead run counts as finished. */
export function withFinishedNote(
  plan: Plan<unknown>,
  task: Task,
  run: RunFact,
  { reason }: TriageResult,
): Plan<unknown> {
  const words = `: ${run.id} died, but had finished: ${reason}`;
  return withFieldPatch(plan, task.id, (patch) =>
    patch.log === undefined
      ? patch
      : { ...patch, log: patch.log.map((entry) => ({ ...entry, message: `${entry.message}${words}` })) },
  );
}

/**
 * The next attempt after a dead run; it counts as a retry. If a check has to decide whether the work is done, the next
 * attempt continues and runs it. After the verdict `restart` the next attempt learns nothing of the last one and
 * ignores its files.
 */
export function nextAttempt(
  tick: Tick,
  run: RunFact,
  task: Task,
  { verdict, reason, summary }: TriageResult,
): { plan: Plan<unknown>; again: boolean } {
  const by: Mover = { name: run.id, fence: run.fence };
  const options = { now: tick.now, by, detail: { run: run.id, triage: verdict } };
  const count = (task.retry_count ?? 0) + 1;
  if (!allowsAnother(task, count)) {
    const why = `${run.id} died, and ${allowance(task)}: ${reason}`;
    return { plan: failTask(tick.graph, task.id, { ...options, reason: why }), again: false };
  }
  const goesOn = verdict !== 'restart';
  const what = goesOn ? 'it is continued' : 'it starts over';
  const released = unclaimTask(tick.graph, task.id, { ...options, reason: `${run.id} died; ${what}: ${reason}` });
  const recovery = summary === undefined ? {} : { recovery: summary };
  const set: NodeFields = { retry_count: count, ...(goesOn ? recovery : setAsideAllWork(task)) };
  const outdated = goesOn && summary !== undefined ? [] : CLEARED_FIELDS[verdict];
  const unset = outdated.filter((field) => fieldsOf(task)[field] !== undefined);
  return { plan: withFields(released, task.id, set, unset), again: true };
}

/**
 * Task fields removed before the next attempt, by verdict: a new verdict replaces the last one, and `restart` removes
 * all traces.
 */
const CLEARED_FIELDS: Readonly<Record<TriageResult['verdict'], readonly string[]>> = {
  done: ['recovery'],
  continue: ['recovery'],
  restart: ['recovery', 'checkpoint', 'last_run'],
};

const VERDICTS = ['done', 'continue', 'restart'] as const;
export type TriageVerdict = (typeof VERDICTS)[number];

/** Verdict about a dead run. */
export interface TriageResult {
  readonly of: 'triage';
  readonly verdict: 'done' | 'continue' | 'restart';
  readonly reason: string;
  /** Facts for the next attempt; undefined if none are known. */
  readonly summary?: string;
}

const sentence = z.string().check(z.trim(), z.minLength(1), z.maxLength(WORK_LIMITS.triageTextCharacters));
const ANSWER = z.strictObject({ verdict: z.enum(VERDICTS), reason: sentence, summary: sentence });

/** Prompt blocks that show a model a dead run. */
export function triageBlocks(task: { title: string; description?: string | undefined }, output: string): Block[] {
  const about = [task.title, task.description ?? ''].join('\n').trim();
  return [
    { label: 'task', text: about, most: TEAM_LIMITS.promptReasonBytes },
    { label: 'the end of its output', text: output, most: WORK_LIMITS.triageOutputBytes },
  ];
}

/** Parses the verdict in an answer; undefined if it contains none. */
export function verdictIn(answer: string): Pick<TriageResult, 'verdict' | 'reason' | 'summary'> | undefined {
  const data = objectIn(answer, (value) => ANSWER.safeParse(value).data);
  return data && { verdict: data.verdict, reason: redact(data.reason), summary: redact(data.summary) };
}

/** Verdict without a model: `continue` if the work left a trace, else `restart`. */
export function verdictWithout(traces: { readonly checkpoint: boolean; readonly commits: boolean }): TriageVerdict {
  return traces.checkpoint || traces.commits ? 'continue' : 'restart';
}
