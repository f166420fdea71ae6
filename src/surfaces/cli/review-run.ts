import path from 'node:path';
import type { RunMode } from '#core/review/plan.js';
import { inert } from '#kernel/text.js';
import type { Output } from '#operations/map.js';
import { ENDED, type WatchOptions, watchWork } from './foreground-run.js';
import type { Session } from './host.js';
import type { Invocation } from './invocation.js';
import { callNamingFiles, writtenFiles } from './outside-files.js';

export interface Review extends WatchOptions {
  readonly workflow: string;
  readonly run: RunMode;
  readonly resume: boolean;
  readonly dependenciesFrom?: string;
}

/** Casts if need be, makes the tasks, shows them being done, and ends with what to do first. */
export function watchReview(invocation: Invocation, projectFolder: string, review: Review): Promise<number> {
  let name = '';
  return watchWork(invocation, projectFolder, review, {
    begin: async (session) => {
      const tasks = await tasksOf(invocation, session, review);
      name = tasks.review;
      return tasks.ids;
    },
    over: async (_session, tasks) => tasks.every((task) => ENDED.has(task.state)),
    facts: async (session) => session.call('review.summary', { review: name }),
    tell: async (summary) => {
      if (!invocation.json) await printSummary(invocation, projectFolder, summary);
      return 0;
    },
    resume: 'troupe run --resume',
  });
}

interface ReviewTasks {
  readonly review: string;
  readonly ids: ReadonlySet<string>;
}

/** The tasks of a new review, or with --resume those of the one that was interrupted. */
async function tasksOf(invocation: Invocation, session: Session, review: Review): Promise<ReviewTasks> {
  const { screen } = invocation;
  if (review.resume) {
    const open = await openReview(session);
    if (open) {
      screen.aside(`Going on with ${open.review}.`);
      return open;
    }
    screen.aside('Nothing was interrupted: this is a new review.');
  }
  await ensureTeam(invocation, session, review.workflow);
  const made = await session.call('workflow.run', {
    id: review.workflow,
    // Somebody at the terminal asks for just this.
    override: true,
    run: review.run,
    ...(review.dependenciesFrom === undefined ? {} : { dependenciesFrom: review.dependenciesFrom }),
  });
  for (const warning of made.warnings) screen.aside(`${screen.colour.yellow('warning:')} ${inert(warning)}`);
  return { review: made.run, ids: new Set(made.task_ids) };
}

/** The team there is, else one cast for the workflow; says which, and before and after what that writes outside of `.squad/`. */
export async function ensureTeam(invocation: Invocation, session: Session, workflow: string): Promise<void> {
  const { screen } = invocation;
  const team = await callNamingFiles(invocation, { workflow }, (wish) => session.call('team.ensure', wish));
  screen.aside(
    `${team.cast ? 'Cast' : 'The team is'} ${team.members} members from ${inert(team.universe)}, led by ${screen.colour.bold(inert(team.leader))}.`,
  );
  if (team.cast) screen.aside(writtenFiles(team.outside));
}

/** The latest review that still has work to do. */
async function openReview(session: Session): Promise<ReviewTasks | undefined> {
  const { tasks } = await session.call('task.list', {});
  const reviewOf = (task: { readonly tags: readonly string[] }) =>
    task.tags.find((tag) => tag.startsWith('wf:'))?.slice('wf:'.length);
  const unfinished = tasks.filter((task) => !ENDED.has(task.status)).map(reviewOf);
  const review = unfinished.filter((name) => name !== undefined).at(-1);
  if (review === undefined) return undefined;
  return { review, ids: new Set(tasks.filter((task) => reviewOf(task) === review).map((task) => task.id)) };
}

/** The summary with whole paths: in a trial nobody stands in the project's folder. */
async function printSummary(
  { screen }: Invocation,
  projectFolder: string,
  { files, ...rest }: Output<'review.summary'>,
): Promise<void> {
  const whole = (file: string) => path.join(projectFolder, file);
  const { renderReviewSummary } = await import('./render/review.js');
  screen.line();
  renderReviewSummary(
    { ...rest, files: { html: whole(files.html), markdown: whole(files.markdown), json: whole(files.json) } },
    screen,
  );
}
