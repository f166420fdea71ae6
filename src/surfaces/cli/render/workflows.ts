import { formatMoney, inert, plural } from '#kernel/text.js';
import { writtenFiles } from '#surfaces/cli/outside-files.js';
import type { AnswerOf, Printer, Renderers, Screen } from '#surfaces/cli/screen.js';
import { printTable } from '#surfaces/cli/table.js';
import { printBlueprint } from './blueprints.js';
import { printDelivered, printFormation } from './formations.js';
import { renderers as functions } from './functions.js';

/** State of a workflow with an automatic trigger. */
export interface Begins {
  readonly trigger: string;
  readonly next: string | null;
  readonly due: boolean;
  readonly last_run: string | null;
  readonly held: string | null;
}

/** Next start of a workflow, or the reason it cannot start, and its last run, on one line. */
function beginsText({ trigger, next, due, last_run: last, held }: Begins): string {
  const when = next === null ? `starts on ${trigger}` : due ? 'is due now' : `starts next at ${local(next)}`;
  const hindrance = held === null ? '' : `, but cannot: ${inert(held)}`;
  return `${when}${hindrance}${last === null ? '' : `; last run: ${inert(last)}`}`;
}

/** Formats a time in the local time zone, to the minute. */
function local(time: string): string {
  const at = new Date(time);
  const two = (number: number) => String(number).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`;
}

function renderWorkflowShow(workflow: AnswerOf<'workflow.show'>, screen: Screen): void {
  const { colour } = screen;
  screen.line(colour.bold(inert(workflow.name)));
  screen.line(inert(workflow.description));
  screen.line(colour.dim(`${inert(workflow.file)}, starts: ${inert(workflow.trigger)}`));
  if (workflow.begins) screen.line(beginsText(workflow.begins));
  screen.line();
  printTable(screen, workflow.nodes, [
    ['STEP=id', 'KIND=type'],
    { title: 'FOR', text: (node) => inert(node.archetypes[0] ?? '') },
    { title: 'DEPENDS ON', text: (node) => inert(node.after.join(' ')) },
    ['WHAT=label…'],
  ]);
  screen.line();
  for (const { from, to, max } of workflow.loops)
    screen.line(`${inert(from.join(', '))} may send back to ${inert(to)}, ${max} times at most`);
  for (const { name, description } of workflow.inputs) screen.line(`--input ${inert(name)}=…  ${inert(description)}`);
  if (!workflow.trusted && workflow.commands.length > 0) {
    screen.line(colour.yellow('Its commands run only after you trust them:'));
    for (const { node, run } of workflow.commands) screen.line(`  ${inert(node)}: ${inert(run)}`);
  }
  for (const warning of workflow.warnings) screen.aside(colour.yellow(inert(warning)));
}

const renderWorkflowStarted: Printer<AnswerOf<'workflow.run'>> = async (started, screen, around) => {
  const { colour } = screen;
  const { run, workflow, tasks, task_ids, warnings } = started;
  const head = started.report_folder === undefined ? inert(workflow) : 'Review';
  screen.line(colour.bold(`${head} “${inert(run)}”: ${plural(task_ids.length, 'task')}`));
  if (tasks) printPlan(tasks, screen);
  else for (const id of task_ids) screen.line(`  ${inert(id)}`);
  for (const warning of warnings) screen.aside(colour.yellow(inert(warning)));
  if (tasks) {
    screen.aside(`Nothing was added. Run without ${colour.cyan('--dry-run')} to add them.`);
    return;
  }
  const answers = await around.serviceAnswers();
  if (started.report_folder === undefined) {
    const watch = colour.cyan(`troupe playbook status ${inert(run)}`);
    screen.aside(
      answers ? `The service runs it. Check it with ${watch}` : `Next: ${colour.cyan('troupe service start')}`,
    );
    return;
  }
  const watch = colour.cyan('troupe run --resume');
  const next = answers
    ? `The service runs it. Watch it with ${watch}`
    : `Next: ${watch}, or ${colour.cyan('troupe service start')}`;
  screen.aside(`The report will be in ${inert(started.report_folder)}. ${next}`);
};

/** Prints the size, universe and leader of the team; for a team that was just cast, also its files. */
export function sayTeam(team: NonNullable<AnswerOf<'work.start'>['team']>, screen: Screen): void {
  const { cast, members, universe, leader, outside } = team;
  const verb = cast ? 'Cast' : 'The team is';
  screen.aside(`${verb} ${members} members from ${inert(universe)}, led by ${screen.colour.bold(inert(leader))}.`);
  if (cast) screen.aside(writtenFiles(outside));
}

/** Prints the tasks of a plan before they are created. */
export function printPlan(tasks: NonNullable<AnswerOf<'workflow.run'>['tasks']>, screen: Screen): void {
  const steps = new Map(tasks.map((task) => [task.id, task.node]));
  printTable(screen, tasks, [
    ['id'],
    { title: 'WHO', text: (task) => (task.human ? 'a person' : inert(task.member ?? '–')) },
    {
      title: 'ROUNDS',
      text: (task) => (task.max_iterations === undefined ? '' : String(task.max_iterations)),
      right: true,
    },
    { title: 'DEPENDS ON', text: (task) => inert((task.after ?? []).map((id) => steps.get(id) ?? id).join(' ')) },
    ['WHAT=title…'],
  ]);
}

type Status = AnswerOf<'playbook.status'>;
/** A run of a playbook, and its steps. */
export type Run = Pick<Status['runs'][number], 'run' | 'outcome' | 'done' | 'total'> & {
  readonly steps: NonNullable<Status['steps']>;
};

/** Command that the run waits for, else its goal. */
const nextOf = ({ pending: [first], goal = '' }: Status['runs'][number]): string =>
  inert(first === undefined ? goal : `you: ${first.command}`);

function sayPending({ held, pending: [first] }: Status['runs'][number], screen: Screen): void {
  if (held !== undefined) screen.line(screen.colour.red(`Blocked: ${inert(held.task)} ${inert(held.reason)}`));
  if (first !== undefined) screen.aside(`It waits for you: ${screen.colour.cyan(inert(first.command))}`);
}

/** Prints one run with its steps. */
export function printRun({ run, outcome, done, total, steps }: Run, screen: Screen): void {
  screen.line(screen.colour.bold(`${inert(run)}: ${outcome}, ${done} of ${plural(total, 'task')} done`));
  printTable(screen, steps, [['id', 'status', 'WHO=member', 'title…']]);
}

export const renderers = {
  /** Prints work that `work.start` has started, or would start. */
  'work.start': async ({ resumed, team, ...started }, screen, around) => {
    if (team !== undefined) sayTeam(team, screen);
    if (!resumed) return await renderWorkflowStarted(started, screen, around);
    screen.line(`${screen.colour.bold(inert(started.run))} resumes: ${plural(started.task_ids.length, 'task')}`);
  },
  'workflow.run': renderWorkflowStarted,
  'playbook.list': ({ playbooks }, screen) => {
    const { colour } = screen;
    // Only functions can be missing: all others are shipped.
    if (playbooks.length === 0)
      return screen.line('No functions yet. `troupe func extract TASK` makes one from done tasks.');
    printTable(screen, playbooks, [
      ['name', 'kind'],
      {
        title: 'DESCRIPTION',
        text: (row) => inert(row.problem === undefined ? row.description : `(${row.problem}) ${row.description}`),
        paint: (text, row) => (row.problem === undefined ? text : colour.red(text)),
        flexible: true,
      },
    ]);
    screen.aside(
      `Run one with ${colour.cyan('troupe run NAME "GOAL"')}, a function with ${colour.cyan('troupe func apply NAME')}`,
    );
  },
  'playbook.show': (playbook, screen) => {
    const { workflow, formation, function: own, blueprint } = playbook;
    if (workflow) renderWorkflowShow(workflow, screen);
    else if (own) functions['func.show'](own, screen);
    else if (blueprint) printBlueprint(blueprint, screen);
    else if (formation) {
      screen.line(screen.colour.bold(inert(formation.name)));
      screen.line(inert(formation.description));
      screen.aside(`Start it: ${screen.colour.cyan(inert(formation.start))}`);
    }
  },
  'workflow.list': ({ workflows }, screen) => {
    const { colour } = screen;
    printTable(screen, workflows, [
      ['id', 'FROM=source'],
      { title: 'HERE', text: (row) => (row.default ? 'default' : row.allowed ? 'allowed' : 'no') },
      {
        title: 'DESCRIPTION',
        text: (row) =>
          inert(row.problem ?? (row.trusted ? row.description : `(commands not trusted) ${row.description}`)),
        paint: (text, row) => (row.problem === undefined ? text : colour.red(text)),
        flexible: true,
      },
    ]);
    for (const { id, begins } of workflows) if (begins) screen.line(`${inert(id)} ${beginsText(begins)}`);
    screen.aside(
      `Show one with ${colour.cyan('troupe playbooks ID')}, preview it with ${colour.cyan('troupe workflow run ID --dry-run')}`,
    );
  },
  'workflow.show': renderWorkflowShow,
  'workflow.check': ({ workflows }, screen) => {
    const { colour } = screen;
    for (const { id, ok, tasks, warnings, problem } of workflows) {
      const mark = ok ? colour.green(screen.unicode ? '●' : 'ok') : colour.red(screen.unicode ? '✗' : 'no');
      screen.line(`${mark} ${inert(id)}: ${ok ? plural(tasks, 'task') : inert(problem ?? '')}`);
      for (const warning of warnings) screen.line(colour.dim(`    ${inert(warning)}`));
    }
  },
  /** Prints all runs, or the named one: a formation with its line-up and results, any other with its steps. */
  'playbook.status': ({ runs, steps, formation, delivered, begins }, screen) => {
    const { colour } = screen;
    for (const each of begins) screen.line(`${inert(each.workflow)} ${beginsText(each)}`);
    const [only] = runs;
    if (only === undefined)
      return screen.line(
        'No playbook has run yet. Start one: `troupe run PLAYBOOK "GOAL"`; `troupe playbooks` lists them.',
      );
    if (formation !== null) {
      printFormation(formation, screen);
      if (delivered !== null) printDelivered(delivered, screen);
      return;
    }
    if (steps !== null) {
      printRun({ ...only, steps }, screen);
      sayPending(only, screen);
      return;
    }
    printTable(screen, runs, [
      ['run', 'playbook'],
      {
        title: 'STATE',
        text: (run) => inert(run.state === 'ended' ? run.outcome : run.state),
        paint: (text, run) => (run.state === 'blocked' ? colour.red(text) : text),
      },
      { title: 'DONE', text: (run) => `${run.done}/${run.total}`, right: true },
      { title: 'COST', text: ({ spent }) => (spent.usd === 0 ? '' : formatMoney(spent.usd)), right: true },
      { title: 'NEXT', text: nextOf, flexible: true },
    ]);
  },
  'playbook.stop': ({ run, outcome, abandoned }, screen) =>
    screen.line(`${inert(run)} is stopped: ${inert(outcome)}, ${plural(abandoned.length, 'task')} abandoned.`),
  'playbook.steer': ({ task_ids }, screen) => screen.line(`Told ${task_ids.map((id) => inert(id)).join(', ')}.`),
  /** Prints every command it would run, in full, before the state of its trust. */
  'workflow.trust': ({ id, trusted, changed, sha256, commands, released }, screen) => {
    const { colour } = screen;
    if (commands.length === 0) screen.line(`${inert(id)} runs no commands.`);
    else screen.line(colour.bold(`${inert(id)} runs:`));
    for (const { node, run } of commands) screen.line(`  ${inert(node)}: ${inert(run)}`);
    screen.line();
    if (sha256 === undefined) screen.line('It is shipped with Troupe: its commands may run.');
    else if (trusted) screen.line(changed ? 'Trusted in its current form.' : 'Trusted.');
    else
      screen.line(
        changed ? 'No longer trusted.' : `Not trusted. Allow it with \`troupe trust workflow ${inert(id)}\`.`,
      );
    for (const task of released) screen.line(`${inert(task)} may start now.`);
  },
} satisfies Partial<Renderers>;
