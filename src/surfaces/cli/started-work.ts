import { REVIEW_WORKFLOW } from '#core/review/plan.js';
import { inert } from '#kernel/text.js';
import type { Input, Output } from '#operations/map.js';
import { type WatchOptions, watchWork } from './foreground-run.js';
import type { Invocation } from './invocation.js';
import { callNamingFiles } from './outside-files.js';
import { sayTeam } from './render/workflows.js';
import { reviewWork } from './review-run.js';
import { workflowWork } from './workflow-run.js';

/** Begins work by `work.start`, says what came of it, and stays until it is over. Answers the exit code. */
export function watchStarted(
  invocation: Invocation,
  projectFolder: string,
  options: WatchOptions,
  wish: Input<'work.start'>,
): Promise<number> {
  return watchWork(invocation, projectFolder, options, async (session) => {
    const started = await callNamingFiles(invocation, wish, (complete) => session.call('work.start', complete));
    if (wish.resume === true && !started.resumed)
      invocation.screen.aside('Nothing was interrupted: this is a new run.');
    sayStarted(invocation, started);
    return started.workflow === REVIEW_WORKFLOW
      ? reviewWork(invocation, session, started)
      : workflowWork(invocation, session, started, options);
  });
}

/** Who does it, and under which name it runs. */
function sayStarted({ screen }: Invocation, { run, workflow, warnings, resumed, team }: Output<'work.start'>): void {
  const { colour } = screen;
  if (resumed) screen.aside(`Going on with ${inert(run)}.`);
  if (team !== undefined) sayTeam(team, screen);
  for (const warning of warnings) screen.aside(`${colour.yellow('warning:')} ${inert(warning)}`);
  if (!resumed && workflow !== REVIEW_WORKFLOW) screen.aside(`${inert(workflow)} runs as ${colour.bold(inert(run))}.`);
}
