import { AGENT } from '#core/graph/assignee.js';
import type { EventDraft, Patch, Plan } from '#core/graph/event.js';
import { awaitsScore, checkFence, type Mover } from '#core/graph/moves.js';
import { isIdForm } from '#core/graph/slug.js';
import type { Task } from '#core/graph/task.js';
import { taskOf } from '#core/graph/task-of.js';
import type { GraphView } from '#core/graph/view.js';
import { timestamp } from '#kernel/clock.js';
import { parseDecimal } from '#kernel/decimal.js';
import { TroupeError } from '#kernel/errors.js';
import { sha256 } from '#kernel/hash.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { cut, inert } from '#kernel/text.js';
import { recordText } from './entity-text.js';

/** Default dimensions of a score. */
export const DIMENSIONS = ['correctness', 'completeness', 'efficiency', 'style_adherence'] as const;
/** Scores by dimension; flip comparisons have dimensions of their own. */
export type Dimensions = Readonly<Record<string, number>>;

/** An evaluation as stored in its file. `attempt`: number of claims of the task at that time. */
export interface Evaluation {
  readonly id: string;
  readonly task_id: string;
  readonly attempt: number;
  readonly agent_id: string | null;
  readonly role_id: string | null;
  readonly tradeoff_id: string | null;
  readonly score: number;
  readonly dimensions: Dimensions;
  readonly notes: string;
  readonly evaluator: string;
  /** Model, if the judge named one. */
  readonly model?: string;
  readonly source: string;
  readonly timestamp: string;
}

/** Verdict on a task, as submitted. */
export interface TaskVerdict {
  readonly score: number;
  /** Idempotency key, chosen by the caller. */
  readonly evaluation_id?: string | undefined;
  readonly source?: string | undefined;
  /** As typed, such as `correctness=0.9`, or as a record by name. */
  readonly dimensions?: readonly string[] | Dimensions | undefined;
  readonly notes?: string | undefined;
  readonly evaluator?: string | undefined;
  readonly model?: string | undefined;
  /** Attempt that was judged: a later one is different work. */
  readonly attempt?: number | undefined;
}

/**
 * Creates the evaluation for a verdict. The score is stored as submitted, the dimensions beside it. Errors:
 * `unknown_task`, `own_work`, `not_evaluable`, `bad_score`, `bad_input`, `too_large`.
 */
export function evaluationOf(view: GraphView, id: string, verdict: TaskVerdict, by: Mover, now: number): Evaluation {
  const task = taskOf(view, id);
  checkJudge(view, task, by);
  const awaited = task.status === 'pending-validation' && awaitsScore(task);
  if (task.status !== 'done' && task.status !== 'failed' && !awaited) {
    throw new TroupeError('not_evaluable', {
      what: `${id} is ${task.status}: only done and failed tasks can be scored.`,
      details: { id, status: task.status },
    });
  }
  if (verdict.attempt !== undefined && verdict.attempt !== (task.fence ?? 0)) {
    throw new TroupeError('not_evaluable', {
      what: `${id} was retried since: this score is for another attempt.`,
      details: { id },
    });
  }
  const at = timestamp(now);
  const agent = AGENT.of(task);
  return {
    id:
      verdict.evaluation_id === undefined
        ? `eval-${nameOf(id)}-${at.replaceAll(':', '-')}`
        : checkedId(verdict.evaluation_id),
    task_id: id,
    attempt: task.fence ?? 0,
    agent_id: typeof agent === 'string' ? agent : null,
    role_id: null,
    tradeoff_id: null,
    score: checkedScore('The score', verdict.score),
    dimensions: isTyped(verdict.dimensions) ? dimensionsOf(verdict.dimensions) : (verdict.dimensions ?? {}),
    notes: checkedNotes(verdict.notes ?? ''),
    evaluator: verdict.evaluator ?? by.name,
    ...(verdict.model === undefined ? {} : { model: verdict.model }),
    source: checkedSource(verdict.source ?? (by.fence === undefined ? `user:${by.name}` : 'llm')),
    timestamp: at,
  };
}

/** File of an evaluation. */
export function evaluationText(evaluation: Evaluation): string {
  return recordText({ ...evaluation });
}

/** Event that records an evaluation, with its patch of the task; `more`: events that follow from it. */
export function recordEvaluation<Result>(
  evaluation: Evaluation,
  by: Pick<Mover, 'name'>,
  result: Result,
  more: readonly EventDraft[] = [],
  patch: readonly Patch[] = [],
): Plan<Result> {
  const { id, task_id, score, source, evaluator } = evaluation;
  const event = { op: 'evaluate_record', task_id, actor: by.name, detail: { id, score, source, evaluator }, patch };
  return { events: [event, ...more], result };
}

/** Refuses runs that judge their own task or one they created, and runs that lost their claim. */
function checkJudge(view: GraphView, task: Task, by: Mover): void {
  if (by.fence === undefined) return;
  if (by.taskId === task.id || task.assigned === by.name || task.created_by === by.name) {
    throw new TroupeError('own_work', {
      what: `${by.name} took part in ${task.id}: someone else must score it.`,
      hint: 'Let a person or the run of another task record the score.',
      details: { id: task.id },
    });
  }
  if (by.taskId !== undefined) checkFence(view, taskOf(view, by.taskId), by);
}

/** Validates an id, which becomes a file name; `imported-` is reserved for imports. */
function checkedId(id: string): string {
  const plain = /^[A-Za-z][A-Za-z0-9._-]*$/.test(id) && !id.startsWith('imported-');
  if (plain && id.length <= TEAM_LIMITS.evaluationIdCharacters) return id;
  throw new TroupeError('bad_input', {
    what: `Not an evaluation id: ${JSON.stringify(cut(inert(id), 60))}`,
    hint: 'Start with a letter, then use letters, digits, dots, hyphens and underscores.',
  });
}

function isTyped(dimensions: TaskVerdict['dimensions']): dimensions is readonly string[] {
  return Array.isArray(dimensions);
}

function checkedScore(what: string, score: number, typed = String(score)): number {
  if (score >= 0 && score <= 1) return score;
  throw new TroupeError('bad_score', { what: `${what} is ${cut(inert(typed), 40)}, not from 0 to 1.` });
}

function dimensionsOf(typed: readonly string[]): Dimensions {
  const dimensions = new Map<string, number>();
  for (const word of typed) {
    const [, name = '', value = ''] = /^([a-z_]+)=(\S+)$/.exec(word) ?? [];
    if (!DIMENSIONS.some((dimension) => dimension === name) || dimensions.has(name)) {
      throw new TroupeError('bad_input', {
        what: `Not a dimension, or given twice: ${JSON.stringify(cut(inert(word), 60))}`,
        hint: `Use NAME=S, with one of ${DIMENSIONS.join(', ')}.`,
      });
    }
    dimensions.set(name, checkedScore(name, parseDecimal(value) ?? Number.NaN, value));
  }
  return Object.fromEntries(dimensions);
}

function checkedNotes(notes: string): string {
  if (new TextEncoder().encode(notes).length <= TEAM_LIMITS.evaluationNotesBytes) return notes;
  throw new TroupeError('too_large', {
    what: `Notes have at most ${TEAM_LIMITS.evaluationNotesBytes} bytes.`,
    details: { limit: TEAM_LIMITS.evaluationNotesBytes },
  });
}

function checkedSource(source: string): string {
  const plain = source.trim() !== '' && inert(source) === source;
  if (plain && source.length <= TEAM_LIMITS.evaluationSourceCharacters) return source;
  throw new TroupeError('bad_input', {
    what: `Not a source: ${JSON.stringify(cut(inert(source), 60))}`,
    hint: `Use one line of at most ${TEAM_LIMITS.evaluationSourceCharacters} characters, such as ci:unit.`,
  });
}

/** File name for a task id: graphs from elsewhere may have ids of any form. */
function nameOf(id: string): string {
  if (isIdForm(id)) return id;
  const plain = id.replace(/[^A-Za-z0-9]+/g, '-').slice(0, 40);
  return `${plain}-${sha256(id).slice(0, 12)}`;
}
