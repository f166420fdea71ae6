import * as z from 'zod/mini';
import { credit } from '#core/agency/credit.js';
import { type GatePolicy, gateEvents, isPassed, startedAfter } from '#core/agency/evaluation-gate.js';
import { flipPatch } from '#core/agency/flip.js';
import { evaluationsOf, scorelessWarnings, shownEvaluationShape } from '#core/agency/list-evaluations.js';
import {
  DIMENSIONS,
  type Evaluation,
  evaluationOf,
  evaluationText,
  recordEvaluation,
  type TaskVerdict,
} from '#core/agency/record-evaluation.js';
import { AGENT } from '#core/graph/assignee.js';
import type { Mover } from '#core/graph/moves.js';
import type { Task } from '#core/graph/task.js';
import { taskOf } from '#core/graph/task-of.js';
import type { Settings } from '#core/settings/settings.js';
import { TroupeError } from '#kernel/errors.js';
import { FROM_PROJECT } from '#kernel/graph-folder.js';
import type { JsonObject } from '#kernel/json.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { ProjectContext, WorkContext } from '#operations/contexts.js';
import { argument, option } from '#operations/fields.js';
import { loadAgency } from '#operations/load-agency.js';
import { loadSettings } from '#operations/load-settings.js';
import { operation } from '#operations/operation.js';
import { ACTOR, REASON } from '#operations/options.js';
import { approveWork } from '#operations/review/approve.js';
import { moverOf } from '#operations/shapes.js';
import { memberAgent } from './assignee.js';
import { changeAgency } from './open.js';

const LATER_MOST_MS = 1_000;

/** Answer for a recorded score. */
type ScoreAnswer = z.infer<typeof scoreAnswerShape>;

/** The stored evaluation of this id, or the first time stamp whose id is free. */
interface Place {
  readonly stored?: JsonObject;
  readonly at: number;
}

/**
 * Records a score: its file, the records of the agent, and its effect on the task, in one transaction. Idempotent: a
 * stored evaluation is returned unchanged. Errors: those of `evaluationOf`, `not_initialized`, `too_many`.
 */
export async function keepScore(
  context: ProjectContext,
  id: string,
  verdict: TaskVerdict,
  by: Mover,
): Promise<ScoreAnswer> {
  const files = await context.traceFiles();
  const now = context.clock.now();
  const { agency: settings } = (await loadSettings(context)).settings;
  const policy = policyOf(settings);
  const doubtBelow = settings.flip_verification_threshold;
  const before = await (await context.graph()).view();
  const look = async (): Promise<Place> => {
    for (let at = now; at <= now + LATER_MOST_MS; at++) {
      const stored = await files.evaluation(evaluationOf(before, id, verdict, by, at).id);
      if (!stored) return { at };
      if (verdict.evaluation_id !== undefined) return { at, stored };
    }
    throw new TroupeError('too_many', { what: 'Too many scores for one task at the same moment.' });
  };
  const member = await agentIdOf(context, before.task(id));
  const { result, seq, view } = await changeAgency(
    context,
    (agency, present, place) => {
      if (!present) throw new TroupeError('not_initialized');
      const unassigned = evaluationOf(present, id, verdict, by, place.at);
      const draft = { ...unassigned, agent_id: unassigned.agent_id ?? member };
      if (place.stored) {
        const stored: Evaluation = { ...draft, ...place.stored };
        return {
          events: [],
          result: { evaluation: stored, warnings: [`${stored.id} already exists: nothing changed.`] },
        };
      }
      const { entities, role_id, tradeoff_id, warnings } = credit(agency, draft);
      const evaluation: Evaluation = { ...draft, role_id, tradeoff_id };
      const gate = gateEvents(present, evaluation, by, now, policy);
      const lateWarnings = gate.length > 0 ? startedAfter(present, id) : [];
      const result = { evaluation, warnings: [...warnings, ...lateWarnings] };
      const marks = flipPatch(taskOf(present, id), evaluation, by, doubtBelow);
      const { events } = recordEvaluation(evaluation, by, result, gate, marks);
      return {
        entities,
        files: [{ kind: 'evaluation', id: evaluation.id, text: evaluationText(evaluation) }],
        events,
        result,
      };
    },
    look,
  );
  const { evaluation } = result;
  const passed = view !== undefined && isPassed(view, evaluation) ? await approveScored(context, evaluation) : [];
  const warnings = [...result.warnings, ...passed];
  return { ...answerOf(evaluation), seq, ...(warnings.length > 0 ? { warnings } : {}) };
}

/** The agent of the task's team member; null if the task names an agent or no member. */
async function agentIdOf(context: WorkContext, task: Task | undefined): Promise<string | null> {
  if (task?.member === undefined || AGENT.of(task) !== undefined) return null;
  return (await memberAgent(context, await loadAgency(context), task.member))?.id ?? null;
}

function policyOf({ eval_gate_threshold: threshold, eval_gate_all: all }: Settings['agency']): GatePolicy | undefined {
  return threshold === undefined ? undefined : { threshold, all };
}

/**
 * Approves a task whose awaited score passed, which integrates its work. A failure is returned as a warning, for a
 * person to resolve.
 */
async function approveScored(context: ProjectContext, { task_id, score, evaluator }: Evaluation): Promise<string[]> {
  const reason = `evaluation passed: score ${score.toFixed(2)}`;
  try {
    const done = await approveWork({ ...context, request: {} }, { id: task_id, reason, actor: evaluator });
    return [...done.warnings];
  } catch (error) {
    if (!(error instanceof TroupeError)) throw error;
    return [`${task_id} is not done yet: ${error.message}`];
  }
}

function answerOf(evaluation: Evaluation) {
  const { id, task_id, score, dimensions, notes, evaluator, model, source } = evaluation;
  return {
    task_id,
    evaluation_id: id,
    score,
    dimensions: { ...dimensions },
    notes,
    evaluator,
    ...(model === undefined ? {} : { model }),
    source,
    path: `${FROM_PROJECT.agency}/evaluations/${id}.yaml`,
  };
}

const text = z.optional(z.string());

export const scoreAnswerShape = z.object({
  task_id: z.string(),
  evaluation_id: z.string(),
  score: z.number(),
  dimensions: z.record(z.string(), z.number()),
  notes: z.string(),
  evaluator: z.string(),
  model: z.optional(z.string()),
  source: z.string(),
  path: z.string(),
  seq: z.number(),
  warnings: z.optional(z.array(z.string())),
});

/** Records a score from outside, also in the record of the agent that did the work. */
export const evaluationRecord = operation({
  name: 'evaluation.record',
  command: 'evaluate record',
  group: 'Review',
  kind: 'write',
  forRuns: 'any',
  summary: 'Record a score for a task from a person or another tool',
  examples: [
    'troupe evaluate record run-the-tests --score 1 --source ci:unit',
    'troupe evaluate record write-the-parser --score 0.7 --dimension correctness=0.9 --notes "too slow"',
  ],
  input: z.strictObject({
    id: option('The task', argument('The task; same as --task', z.string(), { names: 'task' }), {
      flag: 'task',
      value: 'ID',
      names: 'task',
    }),
    score: option('From 0 to 1 (required)', z.number(), { value: 'S' }),
    source: option('Where it comes from, such as ci:unit (default: you)', text, { value: 'TAG' }),
    dimensions: option(
      'Also record correctness, completeness, efficiency or style_adherence, 0 to 1',
      z.optional(z.array(z.string()).check(z.maxLength(DIMENSIONS.length))),
      { flag: 'dimension', aliases: ['dim'], each: true, value: 'NAME=S' },
    ),
    evaluation_id: option('Id of the evaluation; if it exists, it is returned unchanged', text, {
      flag: 'id',
      value: 'ID',
    }),
    notes: REASON,
    actor: ACTOR,
  }),
  output: scoreAnswerShape,
  async run(context: ProjectContext, { id, actor, ...verdict }) {
    return await keepScore(context, id, verdict, moverOf(context, actor));
  },
});

const SHOWN = 50;

/** Evaluations of a task or all tasks, newest first; or one evaluation by its id. */
export const evaluationShow = operation({
  name: 'evaluation.show',
  command: 'evaluate show',
  group: 'Review',
  kind: 'read',
  summary: 'Show the scores of one or all tasks, newest first',
  examples: ['troupe evaluate show run-the-tests', 'troupe evaluate show --source "ci:*" --limit 10 --json'],
  input: z.strictObject({
    id: argument('A task, or one evaluation (default: all)', text),
    task: option('Only this task', text, { value: 'ID', names: 'task' }),
    agent: option('Only tasks assigned to this agent', text, { value: 'AGENT' }),
    source: option('Only sources like this, such as ci:*', text, { value: 'GLOB' }),
    limit: option(
      'Maximum number of scores (default: 50)',
      z.optional(z.int().check(z.minimum(1), z.maximum(TEAM_LIMITS.evaluationsShown))),
      { value: 'N' },
    ),
  }),
  output: z.object({
    evaluations: z.array(shownEvaluationShape),
    /** Number of matches; `evaluations` may be truncated. */
    total: z.number(),
    /** Number of all stored evaluations. */
    kept: z.number(),
    warnings: z.readonly(z.array(z.string())),
  }),
  async run(context: WorkContext, input) {
    const view = await (await context.graph()).view();
    const { records, warnings } = await (await context.traceFiles()).evaluations();
    const { id, task, source } = input;
    const agent = input.agent === undefined ? undefined : (await loadAgency(context)).find('agent', input.agent).id;
    const matches = evaluationsOf(records, { id, task, agent, source });
    if (matches.length === 0) for (const named of [id, task]) if (named !== undefined) taskOf(view, named);
    const rows = matches.slice(0, input.limit ?? SHOWN).map((one) => ({ ...one, dimensions: { ...one.dimensions } }));
    return {
      evaluations: rows,
      total: matches.length,
      kept: evaluationsOf(records).length,
      warnings: [...warnings, ...scorelessWarnings(records)],
    };
  },
});
