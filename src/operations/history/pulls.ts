import * as z from 'zod/mini';
import { withConsequences } from '#core/graph/consequences.js';
import type { Plan } from '#core/graph/event.js';
import type { Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { FORGE, type ForgePlace, tasksWithPull } from '#core/imports/forge-state.js';
import { type PullLook, recordPull, reopenForChecks } from '#core/imports/pull-facts.js';
import { taskSlug } from '#core/runs/names.js';
import { isRefusal } from '#kernel/errors.js';
import { FORGE_LIMITS } from '#kernel/limits/forge.js';
import { cut, inert } from '#kernel/text.js';
import type { FilesContext, GraphContext } from '#operations/contexts.js';
import type { Context } from '#operations/operation.js';
import type { Forge, ForgeRepository } from '#ports/forge.js';
import { issueOf } from './write-back.js';

/** A pull request as it is now, and whether its failed checks opened its task again. */
export const pullRow = z.object({
  task: z.string(),
  number: z.number(),
  url: z.string(),
  state: z.enum(['open', 'merged', 'closed']),
  checks: z.enum(['none', 'running', 'passed', 'failed']),
  reopened: z.boolean(),
});
type PullRow = z.infer<typeof pullRow>;

interface Landed {
  readonly pulls: PullRow[];
  /** Tasks whose work is still to be merged at the forge. */
  readonly landing: ReadonlySet<string>;
  readonly warnings: string[];
}

/** Branch of a task at the forge. */
export function pullBranch(task: string): string {
  return `troupe/${taskSlug(task)}`;
}

/**
 * With `land = "pull-request"`: a branch and a pull request for the work of each task that the person's branch lacks.
 * In any case: the present facts of pull requests that are not merged. All steps can be repeated; nothing is made twice.
 */
export async function landByPulls(
  context: GraphContext & FilesContext,
  forge: Forge,
  repository: ForgeRepository,
  { place, byPulls }: { readonly place: ForgePlace; readonly byPulls: boolean },
): Promise<Landed> {
  const store = await context.graph();
  const warnings: string[] = [];
  const landing = new Set<string>();
  const pulls: PullRow[] = [];
  const looked = new Set<string>();
  const view = await store.view();
  let made = 0;
  for (const { task: id, head } of byPulls ? await unlanded(context) : []) {
    const task = view.task(id);
    if (task === undefined) continue;
    const known = FORGE.of(task)?.pull;
    if (known?.state === 'merged' && known.head === head) continue;
    landing.add(id);
    const isRefused = known?.state === 'closed' && known.head === head;
    if (made >= FORGE_LIMITS.writes || isRefused) continue;
    looked.add(id);
    const branch = pullBranch(id);
    if (!(await forge.push(branch, head))) {
      warnings.push(`The branch ${branch} at the forge has other commits: the work of ${id} was not pushed.`);
      continue;
    }
    const before = await forge.pull(branch);
    const isDone = before !== undefined && (before.state === 'open' || before.head === head);
    if (!isDone) {
      made++;
      await forge.openPull({ branch, base: repository.branch, ...words(task, place) });
    }
    const look = isDone ? before : await forge.pull(branch);
    if (look !== undefined) pulls.push(await record(context, forge, task, look));
    if (look?.state === 'merged') landing.delete(id);
  }
  for (const { task, pull } of [...tasksWithPull(view)]) {
    if (pull.state === 'merged' || looked.has(task.id)) continue;
    const look = await forge.pull(pullBranch(task.id));
    if (look === undefined) continue;
    pulls.push(await record(context, forge, task, look));
    if (look.state === 'merged') landing.delete(task.id);
  }
  return { pulls, landing, warnings };
}

/** Empty outside a git repository. */
async function unlanded(context: Pick<Context, 'integration'>) {
  try {
    return await (await context.integration()).unlanded();
  } catch (error) {
    if (isRefusal(error, 'not_a_repository')) return [];
    throw error;
  }
}

/** Title and text of a pull request. They say what the task is called and which issue it closes, and nothing else. */
function words(task: Task, place: ForgePlace): { title: string; body: string } {
  const issue = issueOf(task, place);
  const closes = issue === undefined ? '' : `Closes #${issue}\n\n`;
  return { title: cut(inert(task.title), 200), body: `${closes}Work of the task \`${task.id}\`, by Troupe.` };
}

async function record(
  context: Pick<Context, 'clock' | 'graph'>,
  forge: Forge,
  { id }: Task,
  look: PullLook,
): Promise<PullRow> {
  const store = await context.graph();
  const now = context.clock.now();
  const commit = <Result>(decide: (view: GraphView) => Plan<Result>) =>
    store.commit((view) => withConsequences(view, decide(view), now));
  const { result: pull } = await commit((view) => recordPull(view, id, look, { forge: forge.name, now }));
  const { result: reopened } = await commit((view) => reopenForChecks(view, id, look, now));
  return { task: id, number: look.number, url: look.url, state: look.state, checks: pull.checks, reopened };
}
