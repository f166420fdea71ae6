import { formatMoney, inert, plural } from '#kernel/text.js';
import { type AnswerOf, type Around, type Renderers, type Screen, sharedBy } from '#surfaces/cli/screen.js';
import { printTable } from '#surfaces/cli/table.js';

type Standing = AnswerOf<'formation.start'>;

/** Prints a proposed line-up with the commands to accept or change it, or else the progress of the run. */
export function printFormation(standing: Standing, screen: Screen): void {
  if (standing.state === 'proposed') printLineUp(standing, screen);
  else printProgress(standing, screen);
}

function printLineUp(standing: Standing, screen: Screen): void {
  const { colour } = screen;
  const { run, formation, goal, seats, steps, losses, cost, options } = standing;
  const named = Object.entries(options).map(([option, value]) => `${option} ${value}`);
  const words = formation === 'crew' ? Object.values(options) : named;
  screen.line(`${colour.bold(`A ${formation} for: ${inert(goal)}`)}  ${colour.dim(inert(words.join(', ')))}`);
  screen.line();
  printTable(
    screen,
    seats.map((seat, index) => ({ ...seat, number: String(index + 1) })),
    [
      { title: '#', text: (seat) => seat.number, right: true },
      {
        title: 'SEAT',
        text: (seat) =>
          inert(seat.phase === undefined || seat.phase === seat.name ? seat.name : `${seat.name} as ${seat.phase}`),
      },
      { title: 'MODEL', text: (seat) => inert(seat.tier ?? 'default') },
      {
        title: 'ROLE',
        text: (seat) => (seat.minted ? 'new' : seat.core === undefined ? 'own row' : `core ${inert(seat.core)}`),
      },
      ['FOR=charter…'],
    ],
  );
  for (const loss of losses) screen.line(colour.yellow(`  ${inert(loss)}`));
  screen.line();
  const people = steps.filter(({ who }) => who === 'person').length;
  const spend = cost === undefined ? '' : `, about ${formatMoney(cost.usd)}`;
  screen.line(`${plural(steps.length, 'task')}, ${people} of them for a person${spend}. Nothing runs yet.`);
  if (cost?.over !== undefined)
    screen.line(colour.yellow(`The budget does not cover it: ${inert(cost.over)}. You decide.`));
  const name = inert(run);
  screen.aside(`Accept it: ${colour.cyan(`troupe playbook accept ${name}`)}`);
  const [first = 'dev'] = seats.map((seat) => seat.name);
  screen.aside(
    `Change it: ${colour.cyan(`troupe playbook edit ${name} --add NAME --drop NAME --tier ${inert(first)}=MODEL`)}`,
  );
}

function printProgress(standing: Standing, screen: Screen): void {
  const { colour } = screen;
  const { run, formation, goal, state, outcome, steps, files, notes, folder, chain, pending, held } = standing;
  screen.line(
    colour.bold(
      `${inert(run)}: ${formation}, ${held !== undefined ? 'blocked' : outcome === undefined ? state : inert(outcome)}`,
    ),
  );
  screen.line(`  ${inert(goal)}`);
  screen.line();
  printTable(screen, steps, [
    ['step'],
    { title: 'STATUS', text: (step) => (step.paused ? 'paused' : step.status) },
    { title: 'WHO', text: (step) => (step.who === 'person' ? 'you' : step.who) },
    { title: 'HELP', text: (step) => (step.rungs ?? []).map((rung) => inert(rung)).join(' → ') },
    ['WHY=reason…'],
  ]);
  const over = files.filter((file) => file.state === 'handed-over').map(({ file }) => file);
  if (files.length > 0) {
    screen.line();
    screen.line(
      `Handed over: ${over.length === 0 ? 'nothing yet' : over.map((file) => inert(file)).join(', ')}  ${colour.dim(inert(folder))}`,
    );
  }
  if (chain !== undefined)
    screen.line(
      chain.stopped === undefined
        ? `Then: ${chain.next.map((stage) => inert(stage)).join(', ')}`
        : colour.red(`The chain stopped: ${inert(chain.stopped)}`),
    );
  for (const note of notes.filter((line) => line.startsWith('escalation: ')).slice(-5))
    screen.line(colour.yellow(inert(note)));
  if (held !== undefined && chain?.stopped === undefined)
    screen.line(colour.red(`Blocked: ${inert(held.task)} ${inert(held.reason)}`));
  const [waiting] = pending;
  if (waiting !== undefined) screen.aside(`It waits for you: ${colour.cyan(inert(waiting.command))}`);
}

const VERDICT_COLOURS = { PASS: 'green', FAIL: 'red', UNPROVEN: 'yellow', OPEN: 'dim' } as const;

/** Prints results of a run from its delivered files: criteria, changed files, notes, agreement, slices and checks. */
export function printDelivered(
  { criteria, changed, notes, agreement, slices, checks }: NonNullable<AnswerOf<'playbook.status'>['delivered']>,
  screen: Screen,
): void {
  const { colour } = screen;
  if (criteria.length + notes.length + slices.length > 0) screen.line();
  for (const { number, text, verdict, evidence } of criteria)
    screen.line(
      `${colour[VERDICT_COLOURS[verdict]](`[${verdict}]`)} ${number} ${inert(text)}${evidence === '' ? '' : ` — ${inert(evidence)}`}`,
    );
  for (const { phase, file, gone } of changed)
    screen.line(colour.red(`${inert(file)} ${gone ? 'is gone' : 'was changed'} since ${inert(phase)} handed it over.`));
  for (const { round, seat, verdict, points, problem } of notes)
    screen.line(
      `round ${round}  ${inert(seat)}: ${verdict === null ? inert(problem ?? '') : `${verdict}, ${plural(points.length, 'point')}`}`,
    );
  if (agreement !== null) screen.line(colour.yellow(`All agree: ${inert(agreement)}.`));
  for (const { name, entries, rejected, gap } of slices)
    screen.line(
      `${inert(name)}: ${entries === null ? 'nothing yet' : `entries ${entries}, rejected ${rejected}`}${gap === null ? '' : `, ${inert(gap)}`}`,
    );
  for (const { id, verdict, why } of checks.filter((one) => one.verdict !== 'HOLDS'))
    screen.line(`${colour.yellow(verdict)} ${inert(id)}: ${inert(why)}`);
}

export const renderers = {
  /** Prints a line-up or the progress of its run, and the next command if no service carries it out. */
  ...sharedBy(
    ['formation.crew', 'formation.panel', 'formation.sweep', 'formation.chain', 'formation.start', 'formation.edit'],
    async (standing, screen, around: Around) => {
      printFormation(standing, screen);
      if (
        standing.state === 'running' &&
        standing.steps.every(({ status }) => status === 'open') &&
        !(await around.serviceAnswers())
      )
        screen.aside(`Next: ${screen.colour.cyan('troupe service start')}`);
    },
  ),
  'formation.hand-in': ({ file, notes }, screen) => {
    screen.line(`Submitted: ${inert(file)}`);
    for (const note of notes) screen.line(screen.colour.yellow(inert(note)));
  },
  'formation.read': ({ files, text }, screen) => {
    for (const line of text === null ? files : text.trimEnd().split('\n')) screen.line(inert(line));
  },
  'formation.step': ({ said, added }, screen) => {
    for (const line of said) screen.line(inert(line));
    if (added.length > 0) screen.line(`Added: ${added.map((id) => inert(id)).join(', ')}`);
  },
  'formation.go': ({ run, commands, sha256 }, screen) => {
    screen.line(
      `${screen.colour.bold(`${inert(run)} is approved`)}: the release runs exactly this (${sha256.slice(0, 12)}):`,
    );
    for (const line of commands.trimEnd().split('\n')) screen.line(`  | ${inert(line)}`);
  },
  'export.claude-plugins': ({ folder, plugins, files }, screen) => {
    screen.line(
      `${plural(files.length, 'file')} in ${inert(folder)}: ${plugins.map((name) => inert(name)).join(', ')}`,
    );
    screen.aside('In Claude Code: /plugin marketplace add with this folder, then /plugin install NAME@troupe.');
  },
  'formation.check-handoffs': ({ phase, denial }, screen) => {
    if (denial === undefined) return screen.line(`${inert(phase)}: passed`);
    screen.line(`${screen.colour.red(`${denial.code}:`)} ${inert(denial.missing)} (${inert(denial.file)})`);
    screen.aside(inert(denial.remedy));
  },
} satisfies Partial<Renderers>;
