/**
 * Commands that combine several operations: `run`, `trial`, `dashboard`, `service …`.
 * @packageDocumentation
 */
import path from 'node:path';
import { REVIEW_WORKFLOW } from '#core/review/plan.js';
import { TroupeError } from '#kernel/errors.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { inert, plural } from '#kernel/text.js';
import { type FormationName, isFormation } from '#operations/formations/names.js';
import type { Input, Output } from '#operations/map.js';
import { refuseIgnoredNames } from '#operations/playbooks/start-wish.js';
import type { WatchOptions } from '#surfaces/cli/foreground-run.js';
import type { Invocation } from '#surfaces/cli/invocation.js';
import { clientWishes, runMode, wholeNumber } from '#surfaces/cli/option-values.js';
import { printPlan } from '#surfaces/cli/render/workflows.js';
import { watchStarted } from '#surfaces/cli/started-work.js';
import { agreeToChecks } from './agree-to-checks.js';
import { callNamed } from './call-named.js';
import { startFormation } from './start-formation.js';

/** Starts work with `work.start`, in the project around the folder or in the folder itself, and follows it. */
export async function execute(invocation: Invocation): Promise<number> {
  const { host, folder, input } = invocation;
  const wish = wishOf(input);
  refuseIgnoredNames(wish);
  const { workflow = '', goal } = wish;
  if (isFormation(workflow) && !(await isOwnWorkflow(invocation, workflow)))
    return await startFormation(invocation, workflow, lineUp(input, workflow, goal));
  const planned = wish.goal !== undefined && wish.blueprint === undefined && wish.blueprint_file === undefined;
  const review = wish.goal === undefined && wish.workflow === undefined && !(wish.resume && (await goesOn(invocation)));
  // Only a review needs a repository. Otherwise, without one, the folder itself becomes the project.
  const top = () => host.repositoryTop(folder);
  const projectFolder = host.findProject(folder) ?? (await (review ? top() : top().catch((): string => folder)));
  if (review) {
    await host.repositoryTop(projectFolder);
    if (!(await agreeToChecks(invocation, projectFolder))) return 1;
  }
  const dry = input['dry_run'] === true;
  if (dry && wish.goal === undefined) {
    throw new TroupeError('usage', {
      what: '--dry-run shows the plan for a goal.',
      hint: 'Show the steps of a workflow with `troupe workflow run ID --dry-run`, the checks of a review with `troupe review summary --checks`.',
    });
  }
  if (!dry) await callNamed(host, 'project.init', {}, projectFolder);
  if (!planned && !dry) return await watchStarted(invocation, projectFolder, watchOptions(input, review), wish);
  const preview = await callNamed(host, 'work.start', { ...wish, dry_run: true }, projectFolder);
  if (dry) {
    showPlan(invocation, preview);
    return 0;
  }
  if (!preview.resumed && !(await agreesToPlan(invocation, preview))) return 1;
  return await watchStarted(invocation, projectFolder, watchOptions(input, review), { ...wish, plan: preview.plan });
}

/**
 * Input of `work.start` from the command line: several words are a goal, one word is a workflow, which a goal may
 * follow; with a blueprint it is always a goal. Errors: `usage`.
 */
function wishOf({ workflow, goal, blueprint, intent, resume, run }: Invocation['input']): Input<'work.start'> {
  const text = typeof workflow === 'string' ? workflow.trim() : '';
  const base = {
    cast: true,
    override: true,
    run: runMode(run),
    ...(resume === true ? { resume: true } : {}),
    ...(typeof intent === 'string' ? { intent } : {}),
  };
  if (typeof goal === 'string') {
    if (/\s/.test(text) || typeof blueprint === 'string')
      throw new TroupeError('usage', {
        what: `${JSON.stringify(inert(goal).slice(0, 40))} follows a goal: only one is taken.`,
        hint: 'Quote the goal as a whole: `troupe run "add a version flag"`.',
      });
    return { ...base, workflow: text, goal };
  }
  if (typeof blueprint !== 'string') {
    if (/\s/.test(text)) return { ...base, goal: text };
    return text === '' || text === REVIEW_WORKFLOW ? base : { ...base, workflow: text };
  }
  const which = path.isAbsolute(blueprint) ? { blueprint_file: blueprint } : { blueprint };
  return { ...base, ...which, goal: text };
}

/** Whether a workflow of this project has the name of a formation. */
async function isOwnWorkflow({ host, folder }: Invocation, name: FormationName): Promise<boolean> {
  if (host.findProject(folder) === undefined) return false;
  const { workflows } = await callNamed(host, 'workflow.list', {}, folder);
  return workflows.some(({ id }) => id === name);
}

/** Input of a formation. The flags of `run` shape work that a formation does not do. Errors: `usage`. */
function lineUp(
  { workflow: _workflow, goal: _goal, yes, ...others }: Invocation['input'],
  name: FormationName,
  goal: string | undefined,
) {
  if (goal === undefined)
    throw new TroupeError('usage', {
      what: `A ${name} begins with a goal.`,
      hint: `Say it: \`troupe run ${name} "GOAL"\`.`,
    });
  if (Object.keys(others).length > 0)
    throw new TroupeError('usage', {
      what: `Here a ${name} takes its goal and --yes, and no other flag.`,
      hint: `Its own flags: \`troupe ${name} --help\`.`,
    });
  return { goal, ...(yes === true ? { yes } : {}) };
}

/** Whether there is a run that `--resume` would continue. */
async function goesOn({ host, folder }: Invocation): Promise<boolean> {
  if (host.findProject(folder) === undefined) return false;
  const { runs } = await callNamed(host, 'playbook.status', {}, folder);
  return runs.some(({ kind, outcome }) => kind === 'workflow' && outcome === 'running');
}

type Preview = Output<'work.start'>;

/** Prints the tasks of the plan and their members; with `--json` the whole preview, with its hash. */
function showPlan({ screen, json }: Invocation, preview: Preview): void {
  const { workflow, tasks = [] } = preview;
  if (json) {
    screen.line(JSON.stringify({ event: 'plan', ...preview }));
    return;
  }
  screen.line(`${inert(workflow)}, ${plural(tasks.length, 'task')}:`);
  printPlan(tasks, screen);
}

/** Shows the plan before anything is spent on it. Only a yes starts it: an answer at the terminal, or `--yes`. */
async function agreesToPlan(invocation: Invocation, preview: Preview): Promise<boolean> {
  const { host, screen, input, json } = invocation;
  showPlan(invocation, preview);
  if (input['yes'] === true) return true;
  const answer = json ? undefined : await host.ask('Start? [Y/n] ');
  if (answer === undefined) {
    throw new TroupeError('confirmation_needed', {
      what: 'Nothing was started: nobody is there to agree to the plan.',
      hint: 'Start it with `--yes`, or run it in a terminal.',
    });
  }
  if (/^y(es)?$/i.test(answer.trim() || 'y')) return true;
  screen.aside('Nothing was started.');
  return false;
}

/** Options about following and clients. A review uses the shell by default, because it needs no client. */
export function watchOptions(input: Invocation['input'], review: boolean): WatchOptions {
  const wishes = clientWishes(input);
  return {
    maxAgents: wholeNumber(input['max_agents'], WORK_LIMITS.agentsDefault, 'max-agents', WORK_LIMITS.agentsMost),
    exit: input['exit'] === true,
    clients: review && Object.keys(wishes).length === 0 ? { executor: 'shell' } : wishes,
  };
}
