import path from 'node:path';
import type { Output } from '#operations/map.js';
import { ENDED, type Work } from './foreground-run.js';
import type { Session } from './host.js';
import type { Invocation } from './invocation.js';

/** A review under way: over when each of its steps has ended, summed up by what to do first. */
export function reviewWork(
  invocation: Invocation,
  session: Session,
  { run, task_ids }: Pick<Output<'work.start'>, 'run' | 'task_ids'>,
): Work {
  return {
    tasks: new Set(task_ids),
    over: async (tasks) => tasks.every((task) => ENDED.has(task.state)),
    summary: async () => {
      const summary = await session.call('review.summary', { review: run });
      return { facts: summary, print: () => printSummary(invocation, session.projectFolder, summary), exitCode: 0 };
    },
  };
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
