import { CLIENTS } from '#core/runs/plan.js';
import { SEEN } from '#core/runs/sign-in.js';
import { settingsFrom } from '#core/settings/settings.js';
import {
  answeredValue,
  NO_BOUND,
  SETUP_FIELDS,
  type SettingChange,
  type SetupAnswers,
  type SetupField,
  setupChanges,
  setupProposals,
} from '#core/settings/setup.js';
import { TroupeError } from '#kernel/errors.js';
import { inert } from '#kernel/text.js';
import type { Output } from '#operations/map.js';
import type { Invocation } from '#surfaces/cli/invocation.js';
import { TRY_COST, tryClient } from '#surfaces/cli/try-client.js';
import { callNamed } from './call-named.js';

type Client = Output<'executor.list'>['executors'][number];
type Proposals = Partial<SetupAnswers>;

/** Asks for the settings that a first client needs, shows and writes them, and has the client do one tiny task. */
export async function execute(invocation: Invocation): Promise<number> {
  const { host, screen, folder, input, json } = invocation;
  const project = host.findProject(folder);
  const place = project ?? folder;
  const { executors } = await callNamed(host, 'executor.list', {}, place);
  const clients = executors.filter(({ name, source }) => source === 'project' || CLIENTS.some((one) => one === name));
  const usable = clients.filter((client) => client.usable);
  if (usable.length === 0) return sayWhatToInstall(invocation, clients);
  const rows =
    project === undefined ? settingsFrom({}).rows : (await callNamed(host, 'config.show', {}, place)).settings;
  const proposals = setupProposals(
    rows,
    usable.map(({ name }) => name),
  );
  const names = { usable, all: clients };
  const answers = await answersOf(invocation, names, proposals);
  const changes = setupChanges(rows, answers);
  const chosen = clients.find(({ name }) => name === answers.executor);
  const isTriable = chosen?.source !== 'project';
  if (input['try'] === true && !isTriable) throw notTriable(answers.executor);
  if (!json) printChanges(invocation, project, changes);
  if (!json && chosen?.own !== undefined) screen.aside(inert(chosen.own));
  if (!(await isMeant(invocation, project === undefined || changes.length > 0))) {
    screen.aside('Nothing was changed.');
    return 1;
  }
  if (project === undefined) await callNamed(host, 'project.init', {}, place);
  const settings = changes.map(({ key, value }) => `${key}=${value ?? ''}`);
  if (settings.length > 0) await callNamed(host, 'config.apply', { settings }, place);
  if (json) screen.line(JSON.stringify({ folder: place, initialized: project === undefined, changes }));
  const worked =
    isTriable && (await wantsTry(invocation, answers.executor)) ? await tryClient(invocation, answers.executor) : 0;
  if (!json) {
    screen.line('Next: `troupe add "Title"` and `troupe service start`, or `troupe run "a goal"`.');
    if (input['try'] !== true && project === undefined) screen.aside('Run `troupe setup` again to change this.');
  }
  return worked;
}

/**
 * Lists all clients and how to install them. Only with `--json` is it an error to have none, because much works without
 * one.
 */
function sayWhatToInstall({ screen, json }: Invocation, clients: readonly Client[]): number {
  if (json)
    throw new TroupeError('executor_missing', {
      what: 'No client is installed on this machine.',
      hint: 'Run `troupe executor list` to see how to install one, then `troupe setup` again.',
    });
  screen.line('No client is installed on this machine. Any of these will do:');
  for (const { name, problem } of clients) screen.line(`  ${inert(name)}: ${inert(problem ?? '')}`);
  screen.line('Install one, log in, then run `troupe setup` again.');
  screen.line('Without a client, `troupe trial` still reviews a repository offline, and tasks with a command run.');
  return 1;
}

/** Answers from flags; the others from the terminal or, with `--yes` or `--json`, the proposed values. */
async function answersOf(
  invocation: Invocation,
  clients: { readonly usable: readonly Client[]; readonly all: readonly Client[] },
  proposals: Proposals,
): Promise<SetupAnswers> {
  const { input, json } = invocation;
  const asks = input['yes'] !== true && !json;
  const said = Object.fromEntries(
    SETUP_FIELDS.flatMap((field) => {
      const value = input[field];
      return value === undefined ? [] : [[field, checked(field, String(value), clients)]];
    }),
  ) as Proposals;
  const open = SETUP_FIELDS.filter((field) => said[field] === undefined);
  if (!asks) {
    // Clients cost money, so the choice between several is left to the person.
    if (said.executor === undefined && clients.usable.length > 1)
      throw new TroupeError('usage', {
        what: `Several clients are installed (${clients.usable.map(({ name }) => name).join(', ')}): choose one.`,
        hint: 'Use --executor NAME.',
      });
    return { ...proposals, ...said } as SetupAnswers;
  }
  const answers: Record<string, string> = { ...said };
  for (const field of open) answers[field] = await answerTo(invocation, field, proposals[field] ?? '', clients);
  return answers as SetupAnswers;
}

function describe({ name, version, signed_in: seen }: Client): string {
  return [name, version, seen === undefined ? undefined : SEEN[seen]]
    .filter(Boolean)
    .map((part) => inert(String(part)))
    .join(', ');
}

const QUESTIONS: Readonly<Record<SetupField, string>> = {
  executor: 'Which client should do the work?',
  max_agents: 'How many agents may run at once?',
  usd_per_day: `What is the daily budget in US dollars (${NO_BOUND}: unlimited)?`,
  land: 'Who lands finished work on your branch: you (manual), or Troupe when there is no conflict (when-clean)?',
};
function question(field: SetupField, usable: readonly Client[]): string {
  if (field !== 'executor') return QUESTIONS[field];
  const rows = usable.map((client, index) => `  ${index + 1}  ${describe(client)}`);
  return ['Clients on this machine:', ...rows, QUESTIONS[field]].join('\n');
}

/** Maximum times that one question is asked. */
const TRIES = 3;

/** Asks until the answer is valid for its setting; an empty answer selects the proposal. */
async function answerTo(
  { host, screen }: Invocation,
  field: SetupField,
  proposal: string,
  clients: { readonly usable: readonly Client[]; readonly all: readonly Client[] },
): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const reply = await host.ask(`${question(field, clients.usable)} [${proposal}] `);
    if (reply === undefined) throw nobodyHere();
    try {
      return checked(field, reply.trim() || proposal, clients);
    } catch (error) {
      if (!(error instanceof TroupeError) || attempt === TRIES) throw error;
      screen.aside(inert(error.message));
    }
  }
}

/** Validates an answer and returns its value; a client may also be given by its number in the list. */
function checked(
  field: SetupField,
  typed: string,
  { usable, all }: { readonly usable: readonly Client[]; readonly all: readonly Client[] },
): string {
  if (field !== 'executor') {
    answeredValue(field, typed);
    return typed;
  }
  const client = all.find(({ name }) => name === typed) ?? usable[Number(typed) - 1];
  if (client?.usable) return client.name;
  throw new TroupeError(client === undefined ? 'unknown_executor' : 'executor_missing', {
    what:
      client === undefined
        ? `There is no client ${JSON.stringify(typed.slice(0, 60))}.`
        : `${client.name} does not start here: ${client.problem ?? 'it is not installed'}`,
    hint: `Available: ${usable.map(({ name }) => name).join(', ')}. \`troupe executor list\` shows how to install others.`,
  });
}

function printChanges(
  { screen, folder }: Invocation,
  project: string | undefined,
  changes: readonly SettingChange[],
): void {
  if (project === undefined) screen.line(`A task graph will be created in ${inert(folder)}.`);
  if (changes.length === 0) screen.line('The project already has these settings.');
  else screen.line(`Will be written to ${inert(project ?? folder)}/.workgraph/config.toml:`);
  for (const { key, before, value } of changes) {
    const was = before === undefined || before === value ? '' : screen.colour.dim(`  (now ${inert(String(before))})`);
    screen.line(`  ${key} = ${value === undefined ? 'not set' : inert(String(value))}${was}`);
  }
}

/** Whether the person confirms the changes. */
async function isMeant({ host, input, json }: Invocation, hasChanges: boolean): Promise<boolean> {
  if (input['yes'] === true || !hasChanges) return true;
  const reply = json ? undefined : await host.ask('Write it? [Y/n] ');
  if (reply === undefined) throw nobodyHere();
  return /^y(es)?$/i.test(reply.trim() || 'y');
}

/** Whether to have the client do the task. It costs money: without a flag, only after a yes at the terminal. */
async function wantsTry({ host, input, json }: Invocation, executor: string): Promise<boolean> {
  if (input['try'] === true) return true;
  if (input['yes'] === true || json) return false;
  const reply = await host.ask(
    `Have ${executor} do one tiny task now, in a temporary folder, for at most ${TRY_COST}? [y/N] `,
  );
  return reply !== undefined && /^y(es)?$/i.test(reply.trim());
}

/** Error for an executor of the project: the task runs in a folder of its own, without the project's executor files. */
function notTriable(executor: string): TroupeError {
  return new TroupeError('usage', {
    what: `${executor} is an executor of this project, and a try happens in a folder of its own.`,
    hint: `Leave out --try; add a task with \`troupe add TITLE\`, and have it done by \`troupe service start --executor ${executor}\`.`,
  });
}

function nobodyHere(): TroupeError {
  return new TroupeError('confirmation_needed', {
    what: 'There is no terminal to answer in.',
    hint: 'Use flags instead: `troupe setup --yes --executor NAME --budget-usd-per-day 5`.',
  });
}
