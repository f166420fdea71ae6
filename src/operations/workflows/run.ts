/**
 * `workflow list|show|check|run|status|close|trust`, `func extract|apply|list|show`, and where they come from.
 * @packageDocumentation
 */
import * as z from 'zod/mini';
import { REVIEW_WORKFLOW, RUN_MODES } from '#core/review/plan.js';
import type { CompiledTask } from '#core/workflows/compiled.js';
import { addCompiled } from '#core/workflows/compiled.js';
import { LIMITS } from '#kernel/limits.js';
import { operation } from '#operations/operation.js';
import { startReview } from '#operations/review/start-review.js';
import { chosenWorkflow } from './chosen.js';
import { compilerOf } from './compile.js';
import { freeRun, type NamedRun } from './free-run.js';
import { policyOf } from './policy.js';

const list = z.readonly(z.array(z.string()));

/** A task as a dry run shows it. */
export const taskPreviewShape = z.object({
  id: z.string(),
  title: z.string(),
  node: z.string(),
  member: z.optional(z.string()),
  skills: z.optional(list),
  human: z.optional(z.boolean()),
  after: z.optional(list),
  after_success: z.optional(list),
  max_iterations: z.optional(z.number()),
  cycle_guard: z.optional(z.string()),
  max_failure_restarts: z.optional(z.number()),
  exec: z.optional(z.string()),
  held: z.optional(z.string()),
});

const outputShape = z.object({
  run: z.string(),
  workflow: z.string(),
  task_ids: z.array(z.string()),
  warnings: z.array(z.string()),
  /** Only of a dry run. */
  tasks: z.optional(z.array(taskPreviewShape)),
  /** Only of a review. */
  review: z.optional(z.string()),
  report_folder: z.optional(z.string()),
});
type Output = z.infer<typeof outputShape>;

/** Compiles a workflow for this project and its team, and commits the tasks, all or none; `dry_run` only shows them. */
export const workflowRun = operation({
  name: 'workflow.run',
  input: z.strictObject({
    id: z.optional(z.string().check(z.minLength(1), z.maxLength(100))),
    override: z.optional(z.boolean()),
    dry_run: z.optional(z.boolean()),
    inputs: z.optional(z.array(z.string()).check(z.maxLength(20))),
    goal: z.optional(z.string().check(z.maxLength(LIMITS.goalCharacters))),
    review_policy: z.optional(z.string()),
    run: z.optional(z.enum(RUN_MODES)),
    dependenciesFrom: z.optional(z.string().check(z.minLength(1), z.maxLength(4_096))),
  }),
  output: outputShape,
  async run(context, input): Promise<Output> {
    // Whoever only looks may look at any.
    const found = await chosenWorkflow(context, input.dry_run === true ? { ...input, override: true } : input);
    const { id } = found.workflow;
    if (id === REVIEW_WORKFLOW && input.dry_run !== true) {
      const started = await startReview(context, input);
      return { ...started, run: started.review, workflow: id };
    }
    const policy = await policyOf(context, input.review_policy);
    const compile = await compilerOf(context, found, { inputs: input.inputs ?? [], goal: input.goal, policy });
    const graph = await context.graph();
    const base = found.workflow.prefix ?? found.workflow.id;
    if (input.dry_run === true) {
      const compiled = freeRun(await graph.view(), base, compile);
      return { ...answerOf(id, compiled), tasks: compiled.tasks.map(previewOf) };
    }
    const by = { now: context.clock.now(), actor: context.caller.name };
    const commit = await graph.commit((view) => {
      const compiled = freeRun(view, base, compile);
      return { ...addCompiled(view, compiled.tasks, by), result: answerOf(id, compiled) };
    }, context.request);
    return commit.result;
  },
});

function answerOf(workflow: string, { prefix, tasks, warnings }: NamedRun) {
  return { run: prefix, workflow, task_ids: tasks.map((task) => task.id), warnings: [...warnings] };
}

function previewOf({ id, title, workflow, ...task }: CompiledTask) {
  const { member, skills, human, after, after_success, max_iterations, cycle_guard, max_failure_restarts, exec } = task;
  const all = { member, skills, human, after, after_success, max_iterations, cycle_guard, max_failure_restarts, exec };
  const said = Object.fromEntries(
    Object.entries({ ...all, held: workflow.held }).filter(([, value]) => value !== undefined),
  );
  return { id, title, node: workflow.node, ...said };
}
