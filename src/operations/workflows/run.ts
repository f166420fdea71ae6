/**
 * `workflow list|show|check|run|trust`, `func extract|apply|list|show`, and the sources of workflows and functions.
 * @packageDocumentation
 */
import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import type { Workflow } from '#core/catalog/workflow.js';
import type { StartedWorkflow, WorkflowStartRequest } from '#core/coordinator/triggers.js';
import { commandHash } from '#core/graph/commands.js';
import type { GraphView } from '#core/graph/view.js';
import { addCompiled, type CompiledTask, type CompiledWorkflow, type Seats } from '#core/playbooks/compiled.js';
import { editPlan, type PlanEdit } from '#core/playbooks/edit-plan.js';
import { allows } from '#core/playbooks/project-choice.js';
import { usedRunNames } from '#core/playbooks/runs.js';
import { REVIEW_WORKFLOW, RUN_MODES } from '#core/review/plan.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { cut } from '#kernel/text.js';
import type { FilesContext, MachineContext, ProjectContext, TeamContext } from '#operations/contexts.js';
import { argument, option } from '#operations/fields.js';
import { operation } from '#operations/operation.js';
import { startReview } from '#operations/review/start-review.js';
import { compilerOf, seatsOf } from './compile.js';
import { choiceOf, policyOf } from './policy.js';
import { TASK_INPUT } from './triggers.js';
import { findWorkflow, type SourcedWorkflow } from './workflow-source.js';

const list = z.readonly(z.array(z.string()));

/** A task in a dry run. */
export const taskPreviewShape = z.object({
  id: z.string(),
  title: z.string(),
  node: z.string(),
  /** `gate`: it reviews the steps before it. */
  role: z.optional(z.string()),
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

/** Values of a workflow's inputs. */
export const inputValues = option('An input value', z.optional(z.array(z.string()).check(z.maxLength(20))), {
  flag: 'input',
  each: true,
  value: 'NAME=VALUE',
});

const inputShape = z.strictObject({
  id: argument(
    'The workflow (default: that of the project)',
    z.optional(z.string().check(z.minLength(1), z.maxLength(100))),
    { names: 'workflow' },
  ),
  override: option('Also run a workflow that the project does not allow', z.optional(z.boolean())),
  dry_run: option('Only show the tasks', z.optional(z.boolean())),
  inputs: inputValues,
  goal: option(
    'The goal of the run, added to every step',
    z.optional(z.string().check(z.maxLength(TEAM_LIMITS.goalCharacters))),
    { value: 'TEXT' },
  ),
  review_policy: option('The gates before the end (default: those of the project)', z.optional(z.string()), {
    value: 'ID',
  }),
  run: option('repository-review: which checks to run: fast (default), all or none', z.optional(z.enum(RUN_MODES)), {
    value: 'MODE',
  }),
  dependenciesFrom: option(
    'repository-review: copy installed dependencies from here',
    z.optional(z.string().check(z.minLength(1), z.maxLength(4_096))),
    { flag: 'dependencies-from', value: 'FOLDER', path: 'always' },
  ),
});
type RunInput = z.infer<typeof inputShape>;

const outputShape = z.object({
  run: z.string(),
  workflow: z.string(),
  task_ids: z.array(z.string()),
  warnings: z.array(z.string()),
  /** Dry run only. */
  tasks: z.optional(z.array(taskPreviewShape)),
  /** Dry run only: hash of the previewed plan. */
  plan: z.optional(z.string()),
  /** Dry run only: the team that would do it. */
  members: z.optional(z.array(z.object({ name: z.string(), archetype: z.string() }))),
  /** Reviews only. */
  review: z.optional(z.string()),
  report_folder: z.optional(z.string()),
});
type Output = z.infer<typeof outputShape>;

/**
 * Compiles a workflow for this project and its team, and commits the tasks in one transaction; `dry_run` only returns
 * them.
 */
export const workflowRun = operation({
  name: 'workflow.run',
  command: 'workflow run',
  group: 'Plans',
  kind: 'write',
  summary: 'Run a workflow: create its tasks for this project and team',
  examples: ['troupe workflow run bug-fix --dry-run', 'troupe workflow run repository-review --run none'],
  input: inputShape,
  output: outputShape,
  run: async (context: ProjectContext, input): Promise<Output> =>
    await runWorkflow(context, input, { seats: () => seatsOf(context), shown: undefined, edits: [] }),
});

interface RunTerms {
  /** Team members for the steps of the workflow. */
  readonly seats: (workflow: Workflow) => Promise<Seats>;
  /** Hash of the plan that a person has approved. */
  readonly shown: string | undefined;
  /** Changes of the plan by a person. */
  readonly edits: readonly PlanEdit[];
}

/**
 * Implements `workflow.run` with additional terms. Errors: also `plan_changed` if the tasks differ from the approved
 * plan.
 */
export async function runWorkflow(
  context: ProjectContext,
  input: RunInput,
  { seats, shown, edits }: RunTerms,
): Promise<Output> {
  // A dry run is allowed for any workflow.
  const entry = await allowedWorkflow(context, input.dry_run === true ? { ...input, override: true } : input);
  const { id } = entry.workflow;
  if (id === REVIEW_WORKFLOW && edits.length > 0)
    throw new TroupeError('bad_input', { what: 'The steps of a repository review are fixed.' });
  if (id === REVIEW_WORKFLOW && input.dry_run !== true) {
    const started = await startReview(context, input);
    return { ...started, run: started.review, workflow: id };
  }
  const policy = await policyOf(context, input.review_policy);
  const team = await seats(entry.workflow);
  const planned = await compilerOf(context, entry, {
    inputs: input.inputs ?? [],
    goal: input.goal,
    policy,
    team,
    run: input.run ?? 'fast',
  });
  const compile = (prefix: string) => editPlan(planned(prefix), edits, team);
  const graph = await context.graph();
  const base = entry.workflow.prefix ?? entry.workflow.id;
  if (input.dry_run === true) {
    const compiled = freeRun(await graph.view(), base, compile);
    const tasks = compiled.tasks.map(previewOf);
    const members = team.members.flatMap(({ name, archetypeId: archetype, status }) =>
      status === 'Active' ? [{ name, archetype }] : [],
    );
    return { ...answerOf(id, compiled), tasks, plan: planHash(id, tasks), members };
  }
  const by = { now: context.clock.now(), actor: context.caller.name };
  const commit = await graph.commit((view) => {
    const compiled = freeRun(view, base, compile);
    if (shown !== undefined && planHash(id, compiled.tasks.map(previewOf)) !== shown)
      throw new TroupeError('plan_changed');
    return { ...addCompiled(view, compiled.tasks, by), result: answerOf(id, compiled) };
  }, context.request);
  return commit.result;
}

/** Hash over all data of a preview. */
const planHash = (workflow: string, tasks: readonly object[]): string =>
  createHash('sha256')
    .update(JSON.stringify([workflow, tasks]))
    .digest('hex');

function answerOf(workflow: string, { prefix, tasks, warnings }: NamedRun) {
  return { run: prefix, workflow, task_ids: tasks.map((task) => task.id), warnings: [...warnings] };
}

function previewOf({ id, title, workflow, ...task }: CompiledTask) {
  const { member, skills, human, after, after_success, max_iterations, cycle_guard, max_failure_restarts, exec } = task;
  const all = { member, skills, human, after, after_success, max_iterations, cycle_guard, max_failure_restarts, exec };
  const fields = Object.fromEntries(
    Object.entries({ ...all, role: workflow.role, held: workflow.held }).filter(([, value]) => value !== undefined),
  );
  return { id, title, node: workflow.node, ...fields };
}

interface RequestedWorkflow {
  /** Defaults to the default workflow of the project. */
  readonly id?: string | undefined;
  /** Set by a person to bypass the allowed workflows: that list guides routine use and is not a security boundary. */
  readonly override?: boolean | undefined;
}

/**
 * The workflow to run. Errors: those of `findWorkflow`; `bad_input` without a name and a default;
 * `workflow_not_allowed`.
 */
async function allowedWorkflow(
  context: TeamContext & FilesContext & MachineContext,
  wish: RequestedWorkflow,
): Promise<SourcedWorkflow> {
  const choice = await choiceOf(context);
  const id = wish.id ?? choice.default_workflow;
  if (id === undefined) {
    throw new TroupeError('bad_input', {
      what: 'No workflow is named, and the project has no default.',
      hint: 'Name one: `troupe playbooks` shows them. A blueprint sets the default.',
    });
  }
  const entry = await findWorkflow(context, id);
  if (wish.override !== true && !allows(choice, id)) {
    throw new TroupeError('workflow_not_allowed', {
      what: `This project does not allow ${id}.`,
      hint: `Use --override once, or add it to allowed_workflows in .squad/config.json. Allowed: ${choice.allowed_workflows?.join(', ') || 'none'}.`,
      details: { workflow: id, allowed: choice.allowed_workflows ?? null },
    });
  }
  return entry;
}

const PREFIXES_TRIED = 1_000;

type NamedRun = CompiledWorkflow & { readonly prefix: string };

/** Compiles with the first free name of a run: `bug-fix`, `bug-fix-2`, … Errors: `id_taken`. */
function freeRun(view: GraphView, base: string, compile: (prefix: string) => CompiledWorkflow): NamedRun {
  const runs = usedRunNames(view);
  for (let number = 1; number <= PREFIXES_TRIED; number++) {
    const prefix = number === 1 ? base : `${base}-${number}`;
    if (runs.has(prefix)) continue;
    const compiled = compile(prefix);
    if (!compiled.tasks.some((task) => view.wasUsed(task.id))) return { ...compiled, prefix };
  }
  throw new TroupeError('id_taken', { what: `There are already ${PREFIXES_TRIED} runs of “${base}”.` });
}

/** Tasks of a triggered run. Commits nothing; fails with the same errors as any run. */
export async function makeTriggered(context: ProjectContext, wish: WorkflowStartRequest): Promise<StartedWorkflow> {
  const view = await (await context.graph()).view();
  const entry = await findWorkflow(context, wish.workflow);
  const task = wish.task === undefined ? undefined : view.task(wish.task);
  const takesTask = (entry.workflow.inputs ?? []).some(({ name }) => name === TASK_INPUT);
  const goal = task && cut([task.id, task.title, task.description ?? ''].join('\n').trim(), TEAM_LIMITS.goalCharacters);
  const compile = await compilerOf(context, entry, {
    inputs: task && takesTask ? [`${TASK_INPUT}=${task.id}`] : [],
    goal,
    policy: await policyOf(context, undefined),
    team: await seatsOf(context),
    run: 'fast',
  });
  const { prefix, tasks } = freeRun(view, wish.run, compile);
  // Trusts the commands of the tasks, because the coordinator's commit does not. Commands of a file changed since the
  // last tick are not trusted.
  const commands = tasks.flatMap(({ exec, environment }) =>
    exec === undefined ? [] : [commandHash(exec, environment)],
  );
  if (entry.trusted) (await context.trustedCommands()).add(commands);
  return { of: 'workflow', run: prefix, tasks };
}
