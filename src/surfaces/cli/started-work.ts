import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { REVIEW_WORKFLOW } from '#core/review/plan.js';
import { inert, plural } from '#kernel/text.js';
import type { Input, Output } from '#operations/map.js';
import { printRun, type Run, sayTeam } from '#surfaces/cli/render/workflows.js';
import { ENDED, type WatchOptions, type Work, watchWork } from './foreground-run.js';
import type { ForegroundSession } from './host.js';
import type { Invocation } from './invocation.js';
import type { LiveTask } from './live-view.js';
import { callNamingFiles } from './outside-files.js';

/** Starts work with `work.start`, prints its team and run, and follows it until it is over. Returns the exit code. */
export function watchStarted(
  invocation: Invocation,
  projectFolder: string,
  options: WatchOptions,
  wish: Input<'work.start'>,
): Promise<number> {
  return watchWork(invocation, projectFolder, options, async (session) => {
    const started = await callNamingFiles(invocation, wish, (complete) => session.call('work.start', complete));
    if (wish.resume === true && !started.resumed)
      invocation.screen.aside('There is no run to resume: this is a new one.');
    sayStarted(invocation, started);
    return started.workflow === REVIEW_WORKFLOW
      ? reviewWork(invocation, session, started)
      : workflowWork(invocation, session, started, options);
  });
}

/** Prints the team, the warnings and the name of the run. */
function sayStarted({ screen }: Invocation, { run, workflow, warnings, resumed, team }: Output<'work.start'>): void {
  const { colour } = screen;
  if (resumed) screen.aside(`Resuming ${inert(run)}.`);
  if (team !== undefined) sayTeam(team, screen);
  for (const warning of warnings) screen.aside(`${colour.yellow('warning:')} ${inert(warning)}`);
  if (!resumed && workflow !== REVIEW_WORKFLOW) screen.aside(`${inert(workflow)} runs as ${colour.bold(inert(run))}.`);
}

/**
 * Work of a workflow run, summarised when the run has ended. With `exit` also when only people can continue it, or
 * nothing can. The reason is printed in both cases. The exit code is 1 if the run ended with any outcome other than
 * `passed`.
 */
function workflowWork(
  { screen }: Invocation,
  session: ForegroundSession,
  { run: name, task_ids }: Pick<Output<'work.start'>, 'run' | 'task_ids'>,
  { exit }: Pick<WatchOptions, 'exit'>,
): Work {
  const announced = new Set<string>();
  const standing = async (): Promise<Run> => {
    const { runs, steps } = await session.call('playbook.status', { run: name });
    const [only] = runs;
    if (only === undefined || steps === null) throw new Error(`There is no run ${name}`);
    return { ...only, steps };
  };
  return {
    tasks: new Set(task_ids),
    over: () => true,
    summable: async (tasks) => {
      const now = await standing();
      if (now.outcome !== 'running') return true;
      const waiting = await heldUp(session, now, tasks);
      for (const text of waiting ?? []) {
        if (!announced.has(text)) screen.aside(`${screen.colour.yellow('waits:')} ${text}`);
        announced.add(text);
      }
      return waiting !== undefined && exit;
    },
    summary: async () => {
      const facts = await standing();
      const { outcome } = facts;
      const print = async () => {
        screen.line();
        printRun(facts, screen);
        if (outcome === 'running') screen.aside('Resume it with `troupe run --resume`, or with a service.');
      };
      return { facts, print, exitCode: outcome === 'passed' || outcome === 'running' ? 0 : 1 };
    },
  };
}

/** Reasons why the run cannot continue on its own; undefined while some task can. */
async function heldUp(session: ForegroundSession, now: Run, tasks: readonly LiveTask[]): Promise<string[] | undefined> {
  const states = new Map(tasks.map((task) => [task.id, task.state]));
  const inState = (...accepted: string[]) => now.steps.filter((task) => accepted.includes(states.get(task.id) ?? ''));
  if (inState('in-progress', 'waiting').length > 0) return undefined;
  const ready = inState('ready');
  const people = [...ready.filter((task) => task.human === true), ...inState('pending-validation', 'blocked')];
  const others = ready.filter((task) => task.human !== true);
  const { service } = await session.call('status.work', {});
  const clientless = others.filter((task) => task.command !== true);
  const able = service.executor !== null && service.missing === null;
  if (others.length > clientless.length || (clientless.length > 0 && able)) return undefined;
  if (people.length + clientless.length === 0) return undefined;
  return [
    ...people.map(
      ({ id }) =>
        `${inert(id)} is for a person: \`troupe show ${inert(id)}\`, then mark it done or failed, or abandon it.`,
    ),
    ...(clientless.length === 0
      ? []
      : [
          `${plural(clientless.length, 'task')} without a client: ${inert(service.missing ?? 'choose one with --executor')}`,
        ]),
  ];
}

/**
 * Work of a review: summarised once its report is written, over when all its steps have ended. `took_ms` counts from
 * the entry of the command line.
 */
function reviewWork(
  invocation: Invocation,
  session: ForegroundSession,
  { run, task_ids }: Pick<Output<'work.start'>, 'run' | 'task_ids'>,
): Work {
  return {
    tasks: new Set(task_ids),
    summable: async (tasks) => {
      const report = tasks.find((task) => task.id === `${run}-report`);
      return report === undefined || ENDED.has(report.state);
    },
    over: (tasks) => tasks.every((task) => ENDED.has(task.state)),
    summary: async () => {
      const told = await session.call('review.summary', { review: run });
      const summary = { ...told, took_ms: Math.round((process.uptime() - invocation.begunAt) * 1_000) };
      const { checks } = summary;
      const print = () => printSummary(invocation, session.projectFolder, summary);
      return { facts: summary, print, exitCode: checks.finished < checks.total ? 1 : 0 };
    },
  };
}

/** The summary with absolute paths: in a trial the working directory is not the project. */
async function printSummary(
  { screen, folder }: Invocation,
  projectFolder: string,
  { files, ...rest }: Output<'review.summary'>,
): Promise<void> {
  const whole = (file: string) => path.join(projectFolder, file);
  const { renderers } = await import('#surfaces/cli/render/review.js');
  screen.line();
  renderers['review.summary'](
    { ...rest, files: { html: whole(files.html), markdown: whole(files.markdown), json: whole(files.json) } },
    screen,
  );
  const { colour } = screen;
  screen.line();
  screen.line(colour.bold('Next'));
  screen.line(`Open the report in a browser: ${colour.cyan(inert(pathToFileURL(whole(files.html)).href))}`);
  if (folder !== projectFolder) screen.line('Get the team and its reports in your project: `troupe run` there.');
  screen.line('Connect a client: `troupe setup`; then `troupe run "a goal"` does the work.');
}
