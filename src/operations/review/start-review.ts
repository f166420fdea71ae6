/**
 * The work of attempts: shown, approved, merged and landed (`worktree …`); the review of a repository: its steps, its
 * report and its checks.
 * @packageDocumentation
 */
import path from 'node:path';
import * as z from 'zod/mini';
import type { Workflow } from '#core/catalog/workflow.js';
import type { GraphView } from '#core/graph/view.js';
import { addCompiled, type CompiledWorkflow } from '#core/playbooks/compiled.js';
import { compileWorkflow } from '#core/playbooks/workflow.js';
import { COMMAND_MANIFESTS, recogniseCommands } from '#core/review/commands.js';
import { factsOf } from '#core/review/facts.js';
import { REVIEW_WORKFLOW, type ReviewPlan, RUN_MODES, type RunMode } from '#core/review/plan.js';
import { timestamp } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { inert } from '#kernel/text.js';
import type { FilesContext, MachineContext, WorkContext } from '#operations/contexts.js';
import { option } from '#operations/fields.js';
import { type Context, operation } from '#operations/operation.js';
import type { Inspector } from '#ports/inspector.js';

const PREFIXES_TRIED = 1_000;

/** A started review: its name, its tasks, and the folder of its report. */
export interface StartedReview {
  readonly review: string;
  readonly task_ids: string[];
  readonly report_folder: string;
  readonly warnings: string[];
}

const STEPS = ['run', 'fan_in', 'check'] as const;

/** Compiles the review for this repository and this team, writes the plan and commits the tasks in one transaction. */
export async function startReview(
  context: WorkContext & FilesContext,
  { run = 'fast', dependenciesFrom }: { run?: RunMode | undefined; dependenciesFrom?: string | undefined },
): Promise<StartedReview> {
  const [source, inspector, graph] = await Promise.all([context.catalog(), context.inspector(), context.graph()]);
  const workflow = await source.workflow(REVIEW_WORKFLOW);
  const repository = await describeRepository(context);
  const origin = path.resolve(context.projectFolder, dependenciesFrom ?? repository.top);
  if (dependenciesFrom !== undefined) await (await context.git()).describe(origin); // refuses what is no folder
  const questions = await askRepository(context, inspector, repository.top, run);
  const team = await (await context.squad()).readTeam();
  if (!team) throw new TroupeError('no_team');
  const compile = (prefix: string) =>
    compileWorkflow(workflow, {
      facts: questions.facts,
      commands: questions.commands,
      team,
      prefix,
      environment: { IN_REVIEW: prefix, IN_RUN: run },
      deliverable: (node) => inspector.folder.path(prefix, `evidence/${node}.json`),
    });
  const compiled = await reservePrefix(workflow, await graph.view(), inspector, compile);
  const roles = new Map(team.members.map((member) => [member.name, member.roleTitle]));
  const plan: ReviewPlan = {
    version: 1,
    review: compiled.prefix,
    workflow: workflow.id,
    name: path.basename(origin),
    repository: repository.top,
    dependencies_from: origin,
    run,
    head: repository.head,
    started_at: timestamp(context.clock.now()),
    leader: team.leader,
    facts: questions.facts,
    commands: questions.commands,
    steps: compiled.steps.map((step, index) => {
      const task = compiled.tasks[index];
      const member = task?.member ?? team.leader;
      const type = STEPS.find((each) => each === step.type) ?? 'run';
      return { ...step, type, title: task?.title ?? step.node, member, role: roles.get(member) ?? '' };
    }),
  };
  try {
    await inspector.folder.writePlan(plan);
    await graph.commit((view) =>
      addCompiled(view, compiled.tasks, { now: context.clock.now(), actor: context.caller.name }),
    );
  } catch (error) {
    await inspector.folder.discard(plan.review);
    throw error;
  }
  return {
    review: plan.review,
    task_ids: compiled.tasks.map((task) => task.id),
    report_folder: inspector.folder.path(plan.review),
    warnings: [...compiled.warnings],
  };
}

export async function describeRepository(
  context: Pick<Context, 'projectFolder' | 'git'>,
): Promise<{ top: string; head: string }> {
  const facts = await (await context.git()).describe(context.projectFolder);
  const at = inert(context.projectFolder);
  if (facts.kind === 'none') throw new TroupeError('not_a_repository', { what: `${at} is not in a git repository.` });
  if (facts.kind === 'bare')
    throw new TroupeError('bare_repository', { what: `The repository at ${at} is bare: it has no files to work on.` });
  if (facts.kind === 'empty') {
    throw new TroupeError('empty_repository', { what: `The repository at ${at} has no commit yet.` });
  }
  return { top: facts.top, head: facts.head };
}

/** Scans the repository for its commands and for the facts that select steps. */
export async function askRepository(context: Pick<Context, 'git'>, inspector: Inspector, top: string, run: RunMode) {
  const git = await context.git();
  const files = await inspector.trackedFiles(top);
  const manifests = await inspector.readNamed(top, files, COMMAND_MANIFESTS);
  const commands = recogniseCommands(files, manifests, run);
  const commits = Number(await git.output(top, ['rev-list', '--count', '--max-count=2', 'HEAD', '--']));
  return { commands, facts: factsOf({ files, commits, commands: commands.length }) };
}

/**
 * Reserves the first free name of a run: `review`, `review-2`, … A name is taken by creating its folder, so concurrent
 * callers get different names.
 */
async function reservePrefix(
  workflow: Workflow,
  view: GraphView,
  inspector: Inspector,
  compile: (prefix: string) => CompiledWorkflow,
): Promise<CompiledWorkflow & { prefix: string }> {
  const base = workflow.prefix ?? workflow.id;
  for (let number = 1; number <= PREFIXES_TRIED; number++) {
    const prefix = number === 1 ? base : `${base}-${number}`;
    const compiled = compile(prefix);
    if (compiled.tasks.some((task) => view.wasUsed(task.id))) continue;
    if (await inspector.folder.reserve(prefix)) return { ...compiled, prefix };
  }
  throw new TroupeError('id_taken', {
    what: `There are already ${PREFIXES_TRIED} runs of “${workflow.id}”.`,
    hint: 'Remove old folders from .workgraph/reports.',
  });
}

/**
 * Lists the commands of a repository that a review would run, and whether this person has ever trusted it. Runs none of
 * them.
 */
export const checks = operation({
  name: 'review.checks',
  command: 'review checks',
  group: 'Review',
  kind: 'read',
  where: 'caller',
  graphless: true,
  instead: 'review summary --checks',
  summary: 'List the commands of this repository that a review would run',
  examples: ['troupe review summary --checks', 'troupe review summary --checks --run all --json'],
  input: z.strictObject({
    run: option('Which checks to run (default: fast)', z.optional(z.enum(RUN_MODES)), { value: 'MODE' }),
  }),
  output: z.object({
    checks: z.array(z.object({ title: z.string(), command: z.string(), folder: z.string() })),
    trusted: z.boolean(),
  }),
  async run(context: FilesContext & MachineContext, { run = 'fast' }) {
    const trusted = (await (await context.trust()).read()) !== undefined;
    const { top } = await describeRepository(context);
    const { commands } = await askRepository(context, await context.inspector(), top, run);
    return {
      trusted,
      checks: commands.map(({ title, program, args, folder }) => ({
        title,
        command: [program, ...args].join(' '),
        folder,
      })),
    };
  },
});
