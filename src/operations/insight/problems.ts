import * as z from 'zod/mini';
import { isTask, type Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { actsAgainst, ROW_ACTS } from '#core/insight/acts.js';
import { PROBLEM_KINDS } from '#core/insight/problem.js';
import { problemsOf } from '#core/insight/problems.js';
import { nullableText } from '#core/insight/shapes.js';
import { timestamp } from '#kernel/clock.js';
import { asTroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { FilesContext, GraphContext, ProjectContext } from '#operations/contexts.js';
import { type Context, operation } from '#operations/operation.js';
import { list as worktreeList } from '#operations/review/worktrees.js';
import { stallReason } from '#operations/runs/agents.js';
import { expiredTokens } from '#operations/settings/tokens.js';
import { teamsProblem } from '#operations/teams-fault.js';
import { triggerStandings } from '#operations/workflows/triggers.js';
import { awaitedAnswers } from './awaited-answers.js';
import { coordinationIn } from './coordination.js';
import { tasksAtWork } from './live.js';

const kind = z.enum(PROBLEM_KINDS);
const row = z.object({
  kind,
  task: nullableText,
  title: nullableText,
  text: z.string(),
  since: nullableText,
  /** Command that helps. */
  command: z.string(),
  /** Acts of a person that help as well. */
  acts: z.optional(z.array(z.enum(ROW_ACTS))),
});

/** Problems that do not resolve automatically, each once, with the command that helps. Bounded; `total` counts all. */
export const problems = operation({
  name: 'analysis.problems',
  command: 'problems',
  group: 'Progress',
  kind: 'read',
  summary: 'List what needs attention, each with the command to fix it',
  examples: ['troupe problems', 'troupe problems --json'],
  input: z.strictObject({}),
  output: z.object({
    at: z.string(),
    problems: z.array(row),
    total: z.number(),
    counts: z.partialRecord(kind, z.number()),
    /** Parts that could not be examined. */
    warnings: z.array(z.string()),
  }),
  async run(context: ProjectContext) {
    const now = context.clock.now();
    const view = await (await context.graph()).view();
    const warnings: string[] = [];
    const { worktrees, waiting } = await worktreesOf(context, view, warnings);
    const unmerged = worktrees
      .filter(({ removable, reason, ahead, dirty }) => !removable && reason !== 'in-use' && (ahead > 0 || dirty > 0))
      .map(({ task, attempt, why }) => ({ task, attempt, why }));
    const facts = {
      coordination: await coordinationIn(context, view),
      ...(await workState(context, view, now)),
      unmerged,
      awaited: await awaitedAnswers(context, (text) => warnings.push(text)),
      toLand: waiting,
      triggers: await triggersOf(context, warnings),
      teams: await teamsProblem(context, view, { thoroughly: false }),
      expiredTokens: await expiredTokens(context),
    };
    const all = problemsOf(view, facts, now);
    const counts: Partial<Record<(typeof PROBLEM_KINDS)[number], number>> = {};
    for (const problem of all) counts[problem.kind] = (counts[problem.kind] ?? 0) + 1;
    const isPerson = context.caller.kind === 'person';
    const rows = all.slice(0, TEAM_LIMITS.problemRows).map((problem) => {
      const acts = isPerson ? actsAgainst(problem.kind, view.task(problem.task ?? '')) : [];
      return acts.length === 0 ? problem : { ...problem, acts: [...acts] };
    });
    return { at: timestamp(now), problems: rows, total: all.length, counts, warnings };
  },
});

/** Live runs of tasks in progress, and the reasons why the others are stalled. */
async function workState(context: Pick<Context, 'coordinator' | 'runs'>, view: GraphView, now: number) {
  const claimed: Task[] = [];
  if (view.count('in-progress') > 0)
    for (const node of view.nodes()) if (isTask(node) && node.status === 'in-progress') claimed.push(node);
  const live = await tasksAtWork(context, claimed);
  const runs = await context.runs();
  const stalled = new Map<string, string>();
  for (const task of claimed) {
    const reason = live.has(task.id) ? undefined : await stallReason(task, runs, now);
    if (reason !== undefined) stalled.set(task.id, reason);
  }
  return { live, stalled };
}

/**
 * Status of triggers. If the folder of workflows cannot be read, a warning is added, so that other problems are still
 * reported.
 */
async function triggersOf(context: ProjectContext, warnings: string[]) {
  try {
    return [...(await triggerStandings(context))].map(([id, standing]) => ({ id, ...standing }));
  } catch (error) {
    warnings.push(`workflows: ${asTroupeError(error).message}`);
    return [];
  }
}

/** Errors that mean that there cannot be a worktree. */
const WITHOUT_WORKTREES: ReadonlySet<string> = new Set([
  'not_a_repository',
  'empty_repository',
  'bare_repository',
  'git_missing',
]);

/**
 * Worktrees. A missing or broken repository adds a warning at most, so that other problems are still reported. Git is
 * not called if there are no attempts.
 */
async function worktreesOf(context: GraphContext & FilesContext, view: GraphView, warnings: string[]) {
  if (!hasAttempts(view)) return { worktrees: [], waiting: 0 };
  try {
    return await worktreeList.run(context, {});
  } catch (error) {
    const { code, message } = asTroupeError(error);
    if (!WITHOUT_WORKTREES.has(code)) warnings.push(`worktrees: ${message}`);
    return { worktrees: [], waiting: 0 };
  }
}

function hasAttempts(view: GraphView): boolean {
  for (const node of view.nodes()) if (isTask(node) && (node.fence ?? 0) > 0) return true;
  return false;
}
