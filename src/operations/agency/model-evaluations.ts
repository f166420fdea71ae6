import * as z from 'zod/mini';
import { blocksOf, comparisonIn, inferredIn, judgementIn, scoreOf } from '#core/agency/evaluation-judge.js';
import { flipDoubt, lowScoreText, verificationIn, verifyFlip } from '#core/agency/flip.js';
import { evaluationOf, type TaskVerdict } from '#core/agency/record-evaluation.js';
import { acceptedIn } from '#core/agency/waiting.js';
import type { Task } from '#core/graph/task.js';
import { taskOf } from '#core/graph/task-of.js';
import { TroupeError } from '#kernel/errors.js';
import type { FilesContext, GraphContext, MachineContext, ModelContext, WorkContext } from '#operations/contexts.js';
import { option } from '#operations/fields.js';
import { loadAgency } from '#operations/load-agency.js';
import { loadSettings } from '#operations/load-settings.js';
import { type Context, operation } from '#operations/operation.js';
import { TASK_ID } from '#operations/options.js';
import { promptText } from '#operations/settings/ask.js';
import { moverOf } from '#operations/shapes.js';
import { assignedTo } from './assignee.js';
import { keepScore, scoreAnswerShape } from './evaluations.js';
import { askJudge, doerBlocks, identityBlocks, output, requestBlocks } from './judgement.js';

const flag = z.optional(z.boolean());
const text = z.optional(z.string());

/**
 * Has a model judge a task. The model gives the dimensions, code computes the score; there is no fallback without a
 * model.
 */
export const evaluationRun = operation({
  name: 'evaluation.run',
  command: 'evaluate run',
  group: 'Review',
  kind: 'write',
  forRuns: 'any',
  asks: { purpose: 'evaluator', unless: [['dry_run', true]], without: '--dry-run' },
  summary: 'Have a model score a task; without a model nothing changes',
  examples: ['troupe evaluate run run-the-tests', 'troupe evaluate run run-the-tests --dry-run'],
  input: z.strictObject({
    id: TASK_ID,
    evaluator_model: option('The model that evaluates', text, { value: 'MODEL' }),
    dry_run: option('Print the question, ask no model', flag),
    flip: option('Also compute the flip score', flag),
  }),
  output: z.object({
    ...z.partial(scoreAnswerShape).shape,
    task_id: z.string(),
    /** Score of the flip comparison, if requested. */
    flip: z.optional(scoreAnswerShape),
    /** Reason for a failed flip comparison; the first score is recorded anyway. */
    flip_failed: text,
    /** Prompt that would be sent; then no other field is set. */
    prompt: text,
  }),
  async run(context: Context, { id, evaluator_model, dry_run: dry, flip }) {
    const by = moverOf(context);
    const view = await (await context.graph()).view();
    const task = taskOf(view, id);
    evaluationOf(view, id, { score: 0 }, by, context.clock.now()); // refuses before a model is asked
    const evaluator = await evaluatorOf(context, task);
    const blocks = [
      ...requestBlocks(task),
      ...(await doerBlocks(context, task)),
      ...identityBlocks('you judge as', evaluator),
      ...(await output(context, task)),
    ];
    const wording = { name: 'evaluate', blocks: blocksOf(blocks) } as const;
    if (dry === true) return { task_id: id, prompt: await promptText(context, wording) };
    const { answer, model: name } = await askJudge(context, {
      ...wording,
      purpose: 'evaluator',
      task: id,
      named: { model: evaluator_model },
      take: judgementIn,
    });
    const { dimensions, notes } = answer;
    const judgement = { score: scoreOf(dimensions), dimensions, notes, source: 'llm', model: name };
    const verdict = { ...judgement, evaluator: evaluator?.agent.id ?? name, attempt: task.fence ?? 0 };
    // Recorded at once: it is paid for, whether or not the second one succeeds.
    const first = await keepScore(context, id, verdict, by);
    const withFlip = flip ?? (await loadSettings(context)).settings.agency.flip_enabled;
    const { flipped, failed } = withFlip ? await secondLook(context, task) : {};
    const second = flipped && (await keepScore({ ...context, request: {} }, id, flipped, by));
    return {
      ...first,
      ...(second ? { flip: second } : {}),
      ...(failed === undefined ? {} : { flip_failed: failed }),
    };
  },
});

/** Flip score, or the reason for its failure, which must not lose the first score. */
async function secondLook(
  context: GraphContext & FilesContext & ModelContext & MachineContext,
  task: Task,
): Promise<{ flipped?: TaskVerdict; failed?: string }> {
  try {
    return { flipped: await flipVerdict(context, task) };
  } catch (error) {
    if (!(error instanceof TroupeError)) throw error;
    return { failed: error.message };
  }
}

/** Evaluator agent from the settings. Errors: `own_work` if it did the task itself. */
export async function evaluatorOf(context: WorkContext & MachineContext, task: Task) {
  const named = (await loadSettings(context)).settings.agency.evaluator_agent;
  if (named === undefined) return undefined;
  const agency = await loadAgency(context);
  const agent = acceptedIn(agency, 'agent', named);
  if ((await assignedTo(context, task))?.agent.id === agent.id) {
    throw new TroupeError('own_work', {
      what: `${task.id} is the work of the agent that would evaluate it.`,
      hint: 'Choose another: `troupe config set agency.evaluator_agent ID`.',
      details: { id: task.id },
    });
  }
  return { agent, role: agency.role(agent.role_id), tradeoff: agency.tradeoff(agent.tradeoff_id) };
}

/**
 * Scores how well the work reveals its purpose: one model infers the task from the output alone, another compares this
 * with the real task. Errors: `model_required`, `bad_evaluation`.
 */
async function flipVerdict(
  context: GraphContext & FilesContext & ModelContext & MachineContext,
  task: Task,
): Promise<TaskVerdict> {
  const about = { task: task.id };
  const outputBlocks = await output(context, task);
  const guess = await askJudge(context, {
    ...about,
    purpose: 'flip_inference',
    name: 'flip-infer',
    blocks: blocksOf(outputBlocks),
    take: inferredIn,
  });
  const { answer, model } = await askJudge(context, {
    ...about,
    purpose: 'flip_comparison',
    name: 'flip-compare',
    blocks: blocksOf([...requestBlocks(task), ['guessed task', guess.answer]]),
    take: comparisonIn,
  });
  return { ...answer, model, evaluator: model, source: 'flip', attempt: task.fence ?? 0 };
}

/**
 * Has a stronger model verify work with a low flip score: it confirms or rejects the work, without changing it. Without
 * a model or a valid answer, nothing changes.
 */
export const evaluationVerify = operation({
  name: 'evaluation.verify',
  command: 'evaluate verify',
  group: 'Review',
  kind: 'write',
  forRuns: 'any',
  asks: { purpose: 'flip_verification', unless: [['dry_run', true]], without: '--dry-run' },
  instead: 'evaluate run --verify',
  summary: 'Have a model check work with a low flip score and confirm or fail it',
  examples: [
    'troupe evaluate run write-the-parser --verify',
    'troupe evaluate run write-the-parser --verify --dry-run',
  ],
  input: z.strictObject({
    id: TASK_ID,
    model: option('The model that checks it', text, { value: 'MODEL' }),
    dry_run: option('Print the question, ask no model', z.optional(z.boolean())),
  }),
  output: z.object({
    task_id: z.string(),
    verdict: z.optional(z.enum(['confirmed', 'rejected', 'moot'])),
    reason: text,
    status: text,
    evaluation_id: text,
    score: z.optional(z.number()),
    model: text,
    seq: z.optional(z.number()),
    warnings: z.optional(z.readonly(z.array(z.string()))),
    /** Prompt that would be sent; then no other field is set. */
    prompt: text,
  }),
  async run(context: Context, { id, model: named, dry_run: dry }) {
    const by = moverOf(context);
    const store = await context.graph();
    const view = await store.view();
    const check = flipDoubt(view, id, by);
    const task = taskOf(view, id);
    if ('moot' in check)
      return { task_id: id, verdict: 'moot' as const, reason: check.moot, status: task.status, seq: view.seq };
    const record = await (await context.traceFiles()).evaluation(check.evaluation);
    const blocks = [
      ...requestBlocks(task),
      ...(await doerBlocks(context, task)),
      ...(await output(context, task)),
      ['why it is in doubt', lowScoreText(check, record)] as const,
    ];
    const wording = { name: 'flip-verify', blocks: blocksOf(blocks) } as const;
    if (dry === true) return { task_id: id, prompt: await promptText(context, wording) };
    const { answer: verification, model } = await askJudge(context, {
      ...wording,
      purpose: 'flip_verification',
      task: id,
      named: { model: named },
      take: verificationIn,
    });
    const options = { by, now: context.clock.now() };
    const { result, seq } = await store.commit(
      (now) => verifyFlip(now, id, check, verification, options),
      context.request,
    );
    const { evaluation, score } = check;
    return { ...result, evaluation_id: evaluation, score, model, seq };
  },
});
