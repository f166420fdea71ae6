/**
 * Commands that are more than one operation: `run`, `trial`, `dashboard`, `service …`.
 * @packageDocumentation
 */
import path from 'node:path';
import { REVIEW_WORKFLOW } from '#core/review/plan.js';
import { LIMITS } from '#kernel/limits.js';
import { inert, plural } from '#kernel/text.js';
import type { Input } from '#operations/map.js';
import type { WatchOptions } from '../foreground-run.js';
import type { Invocation } from '../invocation.js';
import { clientWishes, runMode, wholeNumber } from '../option-values.js';
import { printPlan } from '../render/workflows.js';
import { watchStarted } from '../started-work.js';
import { agreeToChecks } from './agree-to-checks.js';
import { callNamed } from './call-named.js';

/** Begins work by `work.start`, in the project around the folder or in the folder itself, and watches it. */
export async function execute(invocation: Invocation): Promise<number> {
  const { host, folder, input } = invocation;
  const wish = wishOf(input);
  const planned = wish.goal !== undefined && wish.blueprint === undefined && wish.blueprint_file === undefined;
  const review = wish.goal === undefined && wish.workflow === undefined && !(wish.resume && (await goesOn(invocation)));
  // Only a review needs a repository: else, where there is none, the folder itself becomes the project.
  const top = () => host.repositoryTop(folder);
  const projectFolder = host.findProject(folder) ?? (await (review ? top() : top().catch((): string => folder)));
  if (review) {
    await host.repositoryTop(projectFolder);
    if (!(await agreeToChecks(invocation, projectFolder))) return 1;
  }
  await callNamed(host, 'project.init', {}, projectFolder);
  if (planned && !(await agreeToPlan(invocation, projectFolder, wish))) return 1;
  return await watchStarted(invocation, projectFolder, watchOptions(input, review), wish);
}

/** What was typed, as `work.start` takes it: several words are a goal, one is a workflow; with a blueprint it is always a goal. */
function wishOf({ workflow, blueprint, intent, resume, run }: Invocation['input']): Input<'work.start'> {
  const text = typeof workflow === 'string' ? workflow.trim() : '';
  const base = { cast: true, override: true, run: runMode(run), ...(resume === true ? { resume: true } : {}) };
  if (typeof blueprint !== 'string') {
    if (/\s/.test(text)) return { ...base, goal: text };
    return text === '' || text === REVIEW_WORKFLOW ? base : { ...base, workflow: text };
  }
  const which = path.isAbsolute(blueprint) ? { blueprint_file: blueprint } : { blueprint };
  return { ...base, ...which, goal: text, ...(typeof intent === 'string' ? { intent } : {}) };
}

/** Is there a run that `--resume` goes on with? */
async function goesOn({ host, folder }: Invocation): Promise<boolean> {
  if (host.findProject(folder) === undefined) return false;
  const { runs } = await callNamed(host, 'workflow.status', {}, folder);
  return runs.some((run) => run.outcome === 'running');
}

/** Shows what will be done for a goal before anything is spent on it, and asks where somebody is there to answer. */
async function agreeToPlan(invocation: Invocation, projectFolder: string, wish: Input<'work.start'>): Promise<boolean> {
  const { host, screen, input, json } = invocation;
  const { workflow, tasks = [] } = await callNamed(host, 'work.start', { ...wish, dry_run: true }, projectFolder);
  if (json) return true;
  screen.line(`${inert(workflow)}, ${plural(tasks.length, 'task')}:`);
  printPlan(tasks, screen);
  if (tasks.every((task) => task.member === undefined)) screen.aside('There is no team yet: one will be cast.');
  if (input['yes'] === true) return true;
  const answer = await host.ask('Start? [Y/n] ');
  if (answer === undefined || /^y(es)?$/i.test(answer.trim() || 'y')) return true;
  screen.aside('Nothing was started.');
  return false;
}

/** What was said about watching and clients. A review needs no client. */
export function watchOptions(input: Invocation['input'], review: boolean): WatchOptions {
  const wishes = clientWishes(input);
  return {
    maxAgents: wholeNumber(input['max_agents'], LIMITS.agentsDefault, 'max-agents', LIMITS.agentsMost),
    exit: input['exit'] === true,
    clients: review && Object.keys(wishes).length === 0 ? { executor: 'shell' } : wishes,
  };
}
