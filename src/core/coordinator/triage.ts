import * as z from 'zod/mini';
import { afresh, allowance, allowsAnother } from '#core/graph/attempts.js';
import { type Plan, withFieldPatch, withFields } from '#core/graph/event.js';
import { failTask, type Mover, unclaimTask } from '#core/graph/moves.js';
import type { NodeFields, Task } from '#core/graph/task.js';
import { fieldsOf, taskField, textField } from '#core/graph/task-field.js';
import { LIMITS } from '#kernel/limits.js';
import { type Block, objectIn } from '#kernel/question.js';
import { redact } from '#kernel/secrets.js';
import { type ErrandFailure, ErrandKind } from './errand.js';
import type { RunFact } from './snapshot.js';
import type { BaseDecision, Tick } from './tick.js';

export const RECOVERY = taskField('recovery', textField);

export const TRIAGE = new ErrandKind<TriageResult>('triage');

/** A model is to say how far a dead run had come. */
export interface TriageDecision extends BaseDecision {
  readonly do: 'triage';
  readonly run: string;
  readonly task: string;
  readonly fence: number;
}

/** Is somebody looking into this run just now? */
export function isUnderTriage(tick: Tick, run: string): boolean {
  return tick.facts.errands.underWay.has(TRIAGE.key(run));
}

/**
 * What is known of how far a dead run had come: a decision that asks for it, `pending` while somebody looks, or the answer.
 * Its task stays claimed as long: nobody else begins with it, and after a crash of the service it is asked again.
 */
export function lookInto(tick: Tick, run: RunFact, task: Task): { ask?: TriageDecision; answer?: TriageResult } {
  const { errands } = tick.facts;
  const key = TRIAGE.key(run.id);
  const answer = TRIAGE.answer(errands, key);
  if (answer) return { answer: verdictOf(answer, task) };
  if (errands.underWay.has(key)) return {};
  const reason = 'It died, and a model is asked how far it had come';
  return { ask: { do: 'triage', run: run.id, task: task.id, fence: run.fence, reason, events: [] } };
}

/** An errand that failed says nothing: then only what the task itself has counts. */
function verdictOf(answer: TriageResult | ErrandFailure, task: Task): TriageResult {
  if (answer.of === 'triage') return answer;
  const verdict = verdictWithout({ checkpoint: task.checkpoint !== undefined, commits: false });
  return { of: 'triage', verdict, reason: `no model could be asked: ${answer.text}` };
}

/** Had it finished, as far as anybody can say without running its check? Then it ends as one that ended well. */
export function hadFinished(task: Task, { verdict }: TriageResult): boolean {
  return verdict === 'done' && task.verify_cmd === undefined;
}

/** The plan with why a dead run counts as finished, in the log of its task. */
export function sayFinished(plan: Plan<unknown>, task: Task, run: RunFact, { reason }: TriageResult): Plan<unknown> {
  const words = `: ${run.id} died, but had finished: ${reason}`;
  return withFieldPatch(plan, task.id, (patch) =>
    patch.log === undefined
      ? patch
      : { ...patch, log: patch.log.map((entry) => ({ ...entry, message: `${entry.message}${words}` })) },
  );
}

/**
 * The next attempt after a dead run, which counts. Where a check has to say whether it was done, somebody goes on to run it.
 * Who begins anew is told nothing of the last attempt, and leaves its files aside.
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
  const set: NodeFields = { retry_count: count, ...(goesOn ? recovery : afresh(task)) };
  const outdated = goesOn && summary !== undefined ? [] : CLEAN[verdict];
  const unset = outdated.filter((field) => fieldsOf(task)[field] !== undefined);
  return { plan: withFields(released, task.id, set, unset), again: true };
}

/** What an attempt is not told of the one before: another verdict replaces the last, a new beginning knows of nothing. */
const CLEAN: Readonly<Record<TriageResult['verdict'], readonly string[]>> = {
  done: ['recovery'],
  continue: ['recovery'],
  restart: ['recovery', 'checkpoint', 'last_run'],
};

const VERDICTS = ['done', 'continue', 'restart'] as const;
export type TriageVerdict = (typeof VERDICTS)[number];

/** How far a run had come that died. */
export interface TriageResult {
  readonly of: 'triage';
  readonly verdict: 'done' | 'continue' | 'restart';
  readonly reason: string;
  /** What whoever goes on is to know; undefined when nobody could say. */
  readonly summary?: string;
}

const sentence = z.string().check(z.trim(), z.minLength(1), z.maxLength(LIMITS.triageTextCharacters));
const ANSWER = z.strictObject({ verdict: z.enum(VERDICTS), reason: sentence, summary: sentence });

/** What a model is shown of a run that died. */
export function triageBlocks(task: { title: string; description?: string | undefined }, output: string): Block[] {
  const about = [task.title, task.description ?? ''].join('\n').trim();
  return [
    { label: 'task', text: about, most: LIMITS.promptReasonBytes },
    { label: 'the end of its output', text: output, most: LIMITS.triageOutputBytes },
  ];
}

/** The verdict in an answer; undefined when it holds none. */
export function verdictIn(answer: string): Pick<TriageResult, 'verdict' | 'reason' | 'summary'> | undefined {
  const data = objectIn(answer, (value) => ANSWER.safeParse(value).data);
  return data && { verdict: data.verdict, reason: redact(data.reason), summary: redact(data.summary) };
}

/** What is done where no model says: work that left a trace is gone on with, other work begins anew. */
export function verdictWithout(traces: { readonly checkpoint: boolean; readonly commits: boolean }): TriageVerdict {
  return traces.checkpoint || traces.commits ? 'continue' : 'restart';
}
