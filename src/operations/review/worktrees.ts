import * as z from 'zod/mini';
import { continuedRun, mergedOf } from '#core/graph/attempts.js';
import { isTask, type Task } from '#core/graph/task.js';
import { isTrialId } from '#core/graph/trial.js';
import type { GraphView } from '#core/graph/view.js';
import { changesShape } from '#core/runs/git-output.js';
import { type Landing, shownObstacle } from '#core/runs/landing.js';
import { INTEGRATION, isPlainSlug, shortRef, taskSlug } from '#core/runs/names.js';
import { IN_USE } from '#core/runs/retention.js';
import { TroupeError } from '#kernel/errors.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { inert } from '#kernel/text.js';
import type { FilesContext, GraphContext, MachineContext } from '#operations/contexts.js';
import { option } from '#operations/fields.js';
import { loadSettings } from '#operations/load-settings.js';
import { type Context, operation } from '#operations/operation.js';
import { TASK_ID } from '#operations/options.js';
import { resumableAttempt } from './attempt.js';

const rowShape = z.object({
  task: z.string(),
  attempt: z.number(),
  path: z.optional(z.string()),
  branch: z.optional(z.string()),
  head: z.optional(z.string()),
  /** Commits that wg/integration lacks. */
  ahead: z.number(),
  /** Files that are not committed. */
  dirty: z.number(),
  removable: z.boolean(),
  reason: z.optional(z.string()),
  /** Reason why it is kept or may be removed. */
  why: z.string(),
});

/** Lists all attempts that left a worktree or a branch. */
export const list = operation({
  name: 'worktree.list',
  command: 'worktree list',
  group: 'Attempts',
  kind: 'read',
  instead: 'worktree show',
  summary: 'List the worktrees of attempts and why they are kept',
  examples: ['troupe worktree show', 'troupe worktree show --json'],
  input: z.strictObject({}),
  output: z.object({
    worktrees: z.array(rowShape),
    /** Commits on wg/integration that wait to be landed. */
    waiting: z.number(),
  }),
  async run(context: GraphContext & FilesContext) {
    const trees = await context.trees();
    const listed = await trees.list();
    const view = await (await context.graph()).view();
    const idOf = listed.every(({ slug }) => isPlainSlug(slug)) ? (slug: string) => slug : idsBySlug(view);
    const rows: z.infer<typeof rowShape>[] = [];
    for (const { slug, text, ...row } of listed) {
      const task = idOf(slug);
      const inUse = await isInUse(context, view, task, row.attempt);
      rows.push({ task, ...row, why: text, ...(inUse ? { removable: false, reason: 'in-use', why: IN_USE } : {}) });
    }
    return { worktrees: rows, waiting: await (await context.integration()).waiting() };
  },
});

/** Finds task ids by slug; ids that were cleaned for paths require a scan of all tasks. */
function idsBySlug(view: GraphView): (slug: string) => string {
  const ids = new Map<string, string>();
  for (const node of view.nodes()) if (isTask(node)) ids.set(taskSlug(node.id), node.id);
  return (slug) => ids.get(slug) ?? slug;
}

/**
 * Shows the changes of one attempt since the commit it started from, or compared with an earlier attempt. Of a task
 * whose work was merged and has no worktree any more, it shows the merged commit.
 */
export const show = operation({
  name: 'worktree.show',
  command: 'worktree show',
  group: 'Attempts',
  kind: 'read',
  summary: 'Show what an attempt at a task changed',
  examples: [
    'troupe worktree show write-the-parser --patch',
    'troupe worktree show write-the-parser --attempt 2 --since 1 --path src/parser.ts',
  ],
  input: z.strictObject({
    task: TASK_ID,
    attempt: option('The attempt (default: the latest)', z.optional(z.int().check(z.minimum(1))), { value: 'N' }),
    since: option('Compare with this attempt instead of its base', z.optional(z.int().check(z.minimum(1))), {
      value: 'N',
    }),
    patch: option('Include the diff', z.optional(z.boolean())),
    path: option('Only this file, with its diff', z.optional(z.array(z.string()).check(z.minLength(1))), {
      value: 'FILE',
      each: true,
    }),
  }),
  output: z.object({
    task: z.string(),
    attempt: z.number(),
    /** All remaining attempts. */
    attempts: z.readonly(z.array(z.number())),
    path: z.optional(z.string()),
    branch: z.string(),
    base: z.string(),
    head: z.string(),
    ahead: z.number(),
    clean: z.boolean(),
    changes: changesShape,
    untracked: z.readonly(z.array(z.string())),
    untracked_total: z.number(),
    /** The patch, if requested, and whether it was truncated. */
    patch: z.optional(z.string()),
    patch_cut: z.optional(z.boolean()),
  }),
  async run(context: GraphContext & FilesContext, { task, attempt, since, patch, path: paths }) {
    const trees = await context.trees();
    const attempts = await trees.attempts(task);
    const stored = (await (await context.graph()).view()).task(task);
    const merged = attempt === undefined ? mergedAlone(stored, attempts) : undefined;
    const target = attempt ?? (merged === undefined ? attempts.at(-1) : undefined);
    const most = SURFACE_LIMITS.attemptPatchBytes + 1;
    const isAsked = patch === true || paths !== undefined;
    if (target === undefined)
      return { ...(await mergedWork(context, task, merged, isAsked ? { most, paths } : undefined)), attempts };
    const key = { task, attempt: target };
    const selection = { since, paths, patchBytes: isAsked ? most : undefined };
    const { untrackedTotal, patch: text, ...changes } = await trees.changes(key, selection);
    const answer = { ...key, attempts, ...changes, untracked_total: untrackedTotal };
    return text === undefined ? answer : { ...answer, ...boundedPatch(text) };
  },
});

/** Commit of the merged work of a done task whose last attempt has nothing left of its own. */
function mergedAlone(
  task: Task | undefined,
  attempts: readonly number[],
): { attempt: number; commit: string } | undefined {
  const commit = task?.status === 'done' ? mergedOf(task) : undefined;
  const attempt = task?.fence ?? 1;
  return commit === undefined || attempts.includes(attempt) ? undefined : { attempt, commit };
}

/** Shows merged work. Errors: `not_found` if there is none. */
async function mergedWork(
  context: Pick<Context, 'integration'>,
  id: string,
  merged: { readonly attempt: number; readonly commit: string } | undefined,
  patch: { readonly most: number; readonly paths: readonly string[] | undefined } | undefined,
) {
  const integration = await context.integration();
  const work = merged && (await integration.changesOf(merged.commit));
  if (merged === undefined || work === undefined) {
    throw new TroupeError('not_found', {
      what: `There is no worktree of ${inert(id.slice(0, 120))}.`,
      hint: 'Run `troupe worktree show` to see them all.',
    });
  }
  const text = patch && (await integration.patchOf(merged.commit, patch.most, patch.paths));
  return {
    ...{ task: id, attempt: merged.attempt, branch: shortRef(INTEGRATION) },
    ...{ base: work.base, head: work.commit, ahead: 1, clean: true },
    ...{ changes: work.changes, untracked: [], untracked_total: 0 },
    ...(text === undefined ? {} : boundedPatch(text)),
  };
}

function boundedPatch(text: string) {
  const isCut = text.length > SURFACE_LIMITS.attemptPatchBytes;
  return { patch: isCut ? text.slice(0, SURFACE_LIMITS.attemptPatchBytes) : text, patch_cut: isCut };
}

/** Removes worktrees and branches of attempts at a task, unless work would be lost. */
export const remove = operation({
  name: 'worktree.remove',
  command: 'worktree remove',
  group: 'Attempts',
  kind: 'write',
  where: 'caller',
  summary: 'Remove the worktrees of a task if no work is lost',
  examples: ['troupe worktree remove write-the-parser', 'troupe worktree remove write-the-parser --attempt 1 --force'],
  input: z.strictObject({
    task: TASK_ID,
    attempt: option('Only this attempt (default: all)', z.optional(z.int().check(z.minimum(1))), { value: 'N' }),
    force: option(
      'Even with unmerged or uncommitted work; it stays in refs/wg/removed, ignored files are lost',
      z.optional(z.boolean()),
    ),
  }),
  output: z.object({
    task: z.string(),
    /** False if any part was kept. */
    ok: z.boolean(),
    attempts: z.array(
      z.object({
        attempt: z.number(),
        removed: z.enum(['tree', 'tree-and-branch', 'nothing']),
        reason: z.optional(z.string()),
        why: z.string(),
        /** Ref that keeps the removed work. */
        saved_as: z.optional(z.string()),
      }),
    ),
  }),
  async run(context: GraphContext & FilesContext, { task, attempt, force }) {
    refuseLandingRun(context, 'remove worktrees');
    const trees = await context.trees();
    const present = await trees.attempts(task);
    const targets = attempt === undefined ? present : present.filter((number) => number === attempt);
    if (targets.length === 0) {
      throw new TroupeError('not_found', {
        what: `There is no worktree of ${inert(task.slice(0, 120))}${attempt === undefined ? '' : `, attempt ${attempt}`}.`,
        hint: 'Run `troupe worktree show` to see them all.',
      });
    }
    const view = await (await context.graph()).view();
    const attempts = [];
    for (const number of targets) {
      const request = {
        task,
        attempt: number,
        inUse: await isInUse(context, view, task, number),
        force: force ?? false,
      };
      const { removed, text, ...rest } = await trees.remove(request);
      attempts.push({
        attempt: number,
        removed,
        why: text,
        ...('reason' in rest ? { reason: rest.reason } : {}),
        ...('savedAs' in rest && rest.savedAs !== undefined ? { saved_as: rest.savedAs } : {}),
      });
    }
    return {
      task,
      ok: attempts.every(({ removed, reason }) => removed !== 'nothing' || reason === 'absent'),
      attempts,
    };
  },
});

const HELD = new Set(['in-progress', 'waiting', 'pending-validation', 'blocked']);

/** Whether the attempt is the present one of its task, and is running, waiting or to be reviewed. */
export async function isInUse(
  context: Pick<Context, 'runs'>,
  view: GraphView,
  id: string,
  attempt: number,
): Promise<boolean> {
  const task = view.task(id);
  if (task === undefined) return false;
  if (isTrialId(id)) return true; // a trial is evaluated and removed by its caller
  if (!HELD.has(task.status)) return false;
  return ((await resumableAttempt(context, task))?.attempt ?? task.fence) === attempt;
}

/**
 * Whether the next attempt resumes in this worktree; it is then kept, regardless of its content, unless a person
 * removes it.
 */
export async function isResumable(
  context: Pick<Context, 'runs'>,
  view: GraphView,
  id: string,
  attempt: number,
): Promise<boolean> {
  const task = view.task(id);
  if (task === undefined || continuedRun(task) === undefined) return false;
  return (await resumableAttempt(context, task))?.attempt === attempt;
}

/** Rejects runs: only people may move a person's branch or delete work. */
export function refuseLandingRun(context: Pick<Context, 'caller'>, verb: string): void {
  if (context.caller.kind !== 'run') return;
  throw new TroupeError('not_yours', {
    what: `A run may not ${verb}: only a person may.`,
    hint: 'Log in your task what to do.',
  });
}

const shape = {
  branch: z.optional(z.string()),
  from: z.string(),
  to: z.string(),
  relation: z.enum(['same', 'ahead', 'behind', 'diverged']),
  /** Newest first. */
  commits: z.readonly(z.array(z.object({ commit: z.string(), subject: z.string() }))),
  commit_total: z.number(),
  /** Tasks with work in these commits. */
  tasks: z.readonly(z.array(z.string())),
  changes: changesShape,
  /** Reason why it cannot be landed now. */
  obstacle: z.optional(
    z.object({ code: z.string(), text: z.string(), hint: z.string(), command: z.nullable(z.string()) }),
  ),
};

/** Previews `land`; changes nothing. */
export const landing = operation({
  name: 'worktree.landing',
  command: 'worktree land',
  group: 'Attempts',
  kind: 'read',
  where: 'caller',
  unlisted: true,
  summary: 'Show the work that is ready to land',
  examples: [],
  resource: [
    { method: 'GET', path: '/api/worktree/landing', summary: 'The work that is ready to land on your branch.' },
  ],
  input: z.strictObject({}),
  output: z.object(shape),
  async run(context: FilesContext & MachineContext) {
    const found = await (await context.integration()).landing();
    const byPulls =
      found.relation === 'ahead' || found.relation === 'diverged' ? await byPullRequest(context) : undefined;
    return landingAnswer(byPulls === undefined ? found : { ...found, obstacle: shownObstacle(byPulls) });
  },
});

/** Moves the person's branch and files forward to the commit that was shown in the preview. */
export const land = operation({
  name: 'worktree.land',
  command: 'worktree land',
  group: 'Attempts',
  kind: 'write',
  where: 'caller',
  unlisted: true,
  summary: 'Land the merged work of wg/integration on your branch',
  examples: [],
  resource: [{ method: 'POST', path: '/api/worktree/land', summary: 'Lands it on your branch.', fields: ['to'] }],
  input: z.strictObject({ to: z.string() }),
  output: z.object({ ...shape, landed: z.boolean() }),
  async run(context: FilesContext & MachineContext, { to }) {
    refuseLandingRun(context, 'land');
    const byPulls = await byPullRequest(context);
    if (byPulls !== undefined) throw byPulls;
    const done = await (await context.integration()).land(to);
    return { ...landingAnswer(done), landed: done.relation === 'ahead' };
  },
});

/** Error for a landing where work lands by pull requests. */
async function byPullRequest(context: Pick<Context, 'settings' | 'trust'>): Promise<TroupeError | undefined> {
  const { coordinator, sync } = (await loadSettings(context)).settings;
  if (coordinator.land !== 'pull-request') return undefined;
  const command = `troupe sync ${sync.forge ?? 'github'}`;
  return new TroupeError('by_pull_request', { hint: `Run \`${command}\`.`, details: { command } });
}

function landingAnswer({ commitTotal, ...landing }: Landing) {
  return { ...landing, commit_total: commitTotal };
}
