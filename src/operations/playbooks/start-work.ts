import * as z from 'zod/mini';
import type { Workflow } from '#core/catalog/workflow.js';
import type { Spending } from '#core/coordinator/budget-book.js';
import {
  type EstimatedStep,
  estimateSteps,
  type StepEstimate,
  stepEstimateShape,
} from '#core/insight/step-estimate.js';
import { planEditShape } from '#core/playbooks/edit-plan.js';
import { workflowMark } from '#core/playbooks/outcome.js';
import { playbookRuns, runOutcome } from '#core/playbooks/runs.js';
import { REVIEW_WORKFLOW, RUN_MODES } from '#core/review/plan.js';
import { isRefusal, TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import type { FilesContext, MachineContext, TeamContext } from '#operations/contexts.js';
import { argument, option } from '#operations/fields.js';
import { type Context, operation } from '#operations/operation.js';
import { bookIn } from '#operations/settings/books.js';
import { ensureTeam, seatsFor } from '#operations/squad/confirm.js';
import { outsideWishes } from '#operations/squad/outside-files.js';
import { seatsOf } from '#operations/workflows/compile.js';
import { choiceOf } from '#operations/workflows/policy.js';
import { inputValues, runWorkflow, taskPreviewShape } from '#operations/workflows/run.js';
import { findWorkflow } from '#operations/workflows/workflow-source.js';
import { blueprintApply } from './apply.js';
import { refuseIgnoredNames } from './start-wish.js';

/** Workflow for a goal if the project has no default. */
const DEFAULT_WORKFLOW = 'default';

const inputShape = z.strictObject({
  workflow: argument(
    'The workflow (default: repository-review; with --goal: the project default)',
    z.optional(z.string().check(z.minLength(1), z.maxLength(100))),
  ),
  goal: option('The goal of the run', z.optional(z.string().check(z.maxLength(TEAM_LIMITS.goalCharacters))), {
    value: 'TEXT',
  }),
  blueprint: option('Cast the team of this blueprint and run its first workflow for the goal', z.optional(z.string()), {
    value: 'B',
  }),
  blueprint_file: option('The same with your own blueprint file', z.optional(z.string()), {
    flag: 'file',
    value: 'FILE',
    path: 'always',
  }),
  intent: option('Intent of the blueprint for an existing team: new replaces it', z.optional(z.string()), {
    value: 'INTENT',
  }),
  inputs: inputValues,
  /** Permits casting a team without confirmation if there is none. */
  cast: option('Cast a team for it if there is none', z.optional(z.boolean())),
  resume: option('Resume the last run if it has not ended', z.optional(z.boolean())),
  dry_run: option('Only show the tasks', z.optional(z.boolean())),
  override: option('Also run a workflow that the project does not allow', z.optional(z.boolean())),
  run: option('repository-review: which checks to run: fast (default), all or none', z.optional(z.enum(RUN_MODES)), {
    value: 'MODE',
  }),
  dependenciesFrom: option(
    'repository-review: copy installed dependencies from here',
    z.optional(z.string().check(z.minLength(1), z.maxLength(4_096))),
    { flag: 'dependencies-from', value: 'FOLDER', path: 'always' },
  ),
  ...outsideWishes,
  /** Hash of the plan shown by a dry run; if the plan has changed, nothing is started. */
  plan: z.optional(z.string()),
  /** Changes of the plan, applied in this order before it is shown or started. */
  edits: z.optional(z.array(planEditShape).check(z.maxLength(WORK_LIMITS.planEdits))),
});
type StartWish = z.infer<typeof inputShape>;

const teamShape = z.object({
  /** False if the team already existed. */
  cast: z.boolean(),
  universe: z.string(),
  members: z.number(),
  leader: z.string(),
  /** Paths outside `.squad/` that were written. */
  outside: z.array(z.string()),
});
type Team = z.infer<typeof teamShape>;

const outputShape = z.object({
  run: z.string(),
  workflow: z.string(),
  task_ids: z.array(z.string()),
  warnings: z.array(z.string()),
  /** True if an earlier run is continued and nothing was added. */
  resumed: z.boolean(),
  /** Team of a run that was started now. */
  team: z.optional(teamShape),
  /** Only for a review that was started now. */
  report_folder: z.optional(z.string()),
  /** Only for a dry run: the plan. */
  tasks: z.optional(z.array(taskPreviewShape)),
  plan: z.optional(z.string()),
  /** Only for a dry run: the team, which is cast first if `casts`. */
  members: z.optional(z.array(z.object({ name: z.string(), archetype: z.string() }))),
  casts: z.optional(z.boolean()),
  /** Only for a dry run: expected cost by earlier attempts, of the steps that a client does. */
  estimate: z.optional(z.nullable(stepEstimateShape)),
});
type StartResult = z.infer<typeof outputShape>;

/**
 * Starts work, like `troupe run` before it watches: with the team of a blueprint, the existing team, or (`cast`) a new
 * one for the workflow; then adds the tasks. Without a workflow it starts a review of the repository, or with a goal
 * the project's default workflow. `resume` returns the latest run that has not ended, if any. `dry_run` returns the
 * tasks that would be added; with `cast`, assigned to the team that would be cast. Errors: `bad_input`, `no_team`,
 * `plan_changed`, and those of `blueprint.apply`, `team.ensure` and `workflow.run`.
 */
export const startWork = operation({
  name: 'work.start',
  command: 'work start',
  group: 'Start',
  kind: 'write',
  writesOutside: true,
  instead: 'run',
  summary: 'Start what `troupe run` starts, without watching: the team, then the tasks',
  examples: [
    'troupe work start --goal "add a version flag" --dry-run',
    'troupe work start repository-review --cast --run none',
  ],
  input: inputShape,
  output: outputShape,
  async run(context: Context, wish): Promise<StartResult> {
    refuseIgnoredNames(wish);
    try {
      return await start(context, wish);
    } catch (error) {
      if (wish.workflow === undefined || !isRefusal(error, 'unknown_workflow')) throw error;
      const { notAWorkflow } = await import('./playbooks.js');
      throw await notAWorkflow(context, wish.workflow);
    }
  },
});

async function start(context: Context, wish: StartWish): Promise<StartResult> {
  if (wish.blueprint !== undefined || wish.blueprint_file !== undefined) return await fromBlueprint(context, wish);
  const open = wish.resume === true ? await openRun(context) : undefined;
  if (open !== undefined) return open;
  const goal = goalOf(wish);
  const workflow = wish.workflow ?? (goal === undefined ? REVIEW_WORKFLOW : await projectWorkflow(context));
  if (wish.dry_run === true) return await preview(context, workflow, goal, wish);
  if (wish.cast !== true && (await (await context.squad()).readTeam()) === undefined) {
    throw new TroupeError('no_team', {
      hint: 'Cast one with `troupe cast propose`, or use `troupe run`, which casts one.',
    });
  }
  const team = await ensureTeam.run(context, { workflow, outside: wish.outside });
  return { ...(await begin(context, workflow, goal, wish)), team };
}

/** Casts the team of a blueprint and starts its first workflow. */
async function fromBlueprint(context: Context, wish: StartWish): Promise<StartResult> {
  if (wish.resume === true || wish.dry_run === true) {
    throw new TroupeError('bad_input', {
      what:
        wish.resume === true
          ? 'A blueprint starts a new run: there is nothing to resume.'
          : 'The tasks cannot be shown yet: the members of a blueprint get their names when its team is cast.',
      hint:
        wish.resume === true ? 'Leave out the blueprint.' : 'Show its team and workflows with `troupe playbooks ID`.',
    });
  }
  const goal = goalOf(wish);
  if (goal === undefined) {
    throw new TroupeError('bad_input', {
      what: 'A goal is required.',
      hint: 'Name the goal: `troupe run --blueprint support "answer the open mails"`.',
    });
  }
  const applied = await blueprintApply.run(context, {
    ...(wish.blueprint_file === undefined ? { id: wish.blueprint } : { file: wish.blueprint_file }),
    intent: wish.intent,
    // Client files are written only if a person requests them.
    clients: wish.clients ?? false,
    outside: wish.outside,
  });
  const { universe, leader } = applied;
  const team: Team = { cast: true, universe, leader, members: applied.added.length, outside: [...applied.outside] };
  return { ...(await begin(context, applied.default_workflow, goal, wish)), team };
}

/** The plan, its team and its expected cost. Writes nothing. */
async function preview(context: Context, id: string, goal: string | undefined, wish: StartWish): Promise<StartResult> {
  const planned = await begin(context, id, goal, wish);
  const team = await (await context.squad()).readTeam();
  const steps = (planned.tasks ?? []).filter(({ exec, human, held }) => !exec && !human && !held);
  return {
    ...planned,
    casts: team === undefined && wish.cast === true,
    estimate: await estimateOf(
      context,
      steps.map(({ node }) => ({ workflow: planned.workflow, node })),
    ),
  };
}

/** Null without a graph, or if no client has worked here yet. */
async function estimateOf(
  context: Pick<Context, 'graph'>,
  steps: readonly EstimatedStep[],
): Promise<StepEstimate | null> {
  const store = await context.graph();
  const spendings: Spending[] = [];
  await bookIn(store, (spending) => spendings.push(spending));
  const view = await store.view();
  const stepOf = (id: string) => {
    const task = view.task(id);
    const mark = task && workflowMark(task);
    return mark && mark.kind === undefined ? { workflow: mark.id, node: mark.node } : undefined;
  };
  return estimateSteps(steps, spendings, stepOf) ?? null;
}

async function begin(context: Context, id: string, goal: string | undefined, wish: StartWish): Promise<StartResult> {
  const input = {
    id,
    ...(await withGoal(context, id, goal, wish.inputs)),
    override: wish.override,
    dry_run: wish.dry_run,
    run: wish.run,
    dependenciesFrom: wish.dependenciesFrom,
  };
  // A preview shows the team that would be cast, as a start casts it before this.
  const seats = (workflow: Workflow) => (wish.cast === true ? seatsFor(context, workflow) : seatsOf(context));
  const terms = { seats, shown: wish.plan, edits: wish.edits ?? [] };
  const { review: _, ...started } = await runWorkflow(context, input, terms);
  return { ...started, resumed: false };
}

/**
 * Passes the goal to the input named `goal` and all inputs without a default, unless they have a value; without such
 * inputs, as the goal of the run.
 */
async function withGoal(
  context: TeamContext & FilesContext & MachineContext,
  id: string,
  goal: string | undefined,
  values: readonly string[] = [],
) {
  if (goal === undefined) return values.length === 0 ? {} : { inputs: [...values] };
  const { workflow } = await findWorkflow(context, id);
  const inputs = (workflow.inputs ?? []).filter((input) => input.name === 'goal' || input.default === undefined);
  const unset = inputs.filter(({ name }) => !values.some((value) => value.startsWith(`${name}=`)));
  return {
    ...(inputs.length === 0 ? { goal } : {}),
    inputs: [...unset.map(({ name }) => `${name}=${goal}`), ...values],
  };
}

function goalOf({ goal }: StartWish): string | undefined {
  const text = goal?.trim();
  return text === '' ? undefined : text;
}

async function projectWorkflow(context: Pick<Context, 'squad'>): Promise<string> {
  const { default_workflow: id } = await choiceOf(context);
  // A goal never starts a review.
  return id === undefined || id === REVIEW_WORKFLOW ? DEFAULT_WORKFLOW : id;
}

/** Returns the latest run that has not ended. */
async function openRun(context: Pick<Context, 'graph'>): Promise<StartResult | undefined> {
  const view = await (await context.graph()).view();
  const open = playbookRuns(view).findLast((one) => one.kind === 'workflow' && runOutcome(view, one) === 'running');
  if (open === undefined) return undefined;
  const { run, playbook: workflow, tasks } = open;
  return { run, workflow, task_ids: tasks.map(({ id }) => id), warnings: [], resumed: true };
}
