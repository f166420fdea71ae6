import { CLIENTS } from '#core/runs/plan.js';
import { SIGN_IN } from '#core/runs/sign-in.js';
import { formatMoney, inert } from '#kernel/text.js';
import { callNamed } from '#surfaces/cli/commands/call-named.js';
import { ENDED, type Summary, watchWork } from './foreground-run.js';
import type { ForegroundSession } from './host.js';
import type { Invocation } from './invocation.js';
import type { LiveTask } from './live-view.js';

const FILE = 'ready.txt';
const TASK = {
  id: 'say-ready',
  title: `Write the word ready into ${FILE}`,
  description: `Make the file ${FILE} in the folder you are in, with the single word ready in it. Nothing else is to be done.`,
  verify_cmd: `grep -qx ready ${FILE}`,
  max_retries: 0,
} as const;

/** Limits of the task that tests a client: US dollars, tokens if the price is unknown, time. */
const TRY_USD = 0.5;
const TRY_TOKENS = 200_000;
const TRY_TIMEOUT = '3m';

/** Maximum cost of a trial, in words. */
export const TRY_COST = formatMoney(TRY_USD);

/** Has a client do one tiny task under the coordinator, in a temporary folder. Returns the exit code. */
export async function tryClient(invocation: Invocation, executor: string): Promise<number> {
  const { host } = invocation;
  const { folder, remove } = await host.scratchFolder();
  try {
    await callNamed(host, 'project.init', {}, folder);
    await callNamed(host, 'config.apply', { settings: [`coordinator.agent_timeout=${TRY_TIMEOUT}`] }, folder);
    await callNamed(host, 'task.add', TASK, folder);
    const clients = { executor, budgetUsd: TRY_USD, budgetTokens: TRY_TOKENS };
    return await watchWork(
      { ...invocation, folder },
      folder,
      { maxAgents: 1, clients, exit: true },
      async (session) => ({
        tasks: new Set([TASK.id]),
        summable: (tasks) => isOver(session, tasks),
        summary: () => summaryOf(invocation, session, executor),
        over: () => true,
      }),
    );
  } finally {
    remove();
  }
}

/** Whether the task has ended, waits for a person, or is on hold because the provider refuses the client. */
async function isOver(session: ForegroundSession, tasks: readonly LiveTask[]): Promise<boolean> {
  const [task] = tasks;
  if (task === undefined || task.state === 'pending-validation') return true;
  const { runs, held_clients: held } = await session.call('status.work', {});
  // The cost is recorded at the end of the run, after its report.
  return ENDED.has(task.state) ? runs.length === 0 : held.length > 0;
}

/**
 * Remedy for a failed test: a login if a person has to act. The command that would help a service does not help here.
 */
function remedyFor(executor: string, command: string | null | undefined): string {
  if (command === null) return 'It clears on its own.';
  const client = CLIENTS.find((one) => one === executor);
  if (command !== undefined && client !== undefined) return SIGN_IN[client].how;
  return `Start ${executor} directly and check its output.`;
}

async function summaryOf({ screen }: Invocation, session: ForegroundSession, executor: string): Promise<Summary> {
  const [{ task, last_words: words }, { spend, held_clients: holds }] = await Promise.all([
    session.call('task.show', { id: TASK.id }),
    session.call('status.work', {}),
  ]);
  const [held] = holds;
  const worked = task.status === 'done';
  const spent = spend.usd_total;
  const { failure_reason: reason } = task;
  const why = held?.text ?? (typeof reason === 'string' ? reason : undefined);
  return {
    facts: { executor, worked, status: task.status },
    exitCode: worked ? 0 : 1,
    print: async () => {
      const { colour } = screen;
      screen.line();
      if (worked) screen.line(`${colour.green('It works')}: ${executor} wrote ${FILE}, and the check passed.`);
      else screen.line(`${colour.red('It did not work')}: ${inert(why ?? `the task is ${task.status}`)}`);
      if (words !== undefined) screen.line(`  It said: ${inert(words)}`);
      screen.line(`  Spent: ${spent === 0 ? '–' : formatMoney(spent)}`);
      if (!worked) screen.line(`  ${remedyFor(executor, held?.command)} Then run \`troupe setup --try\` again.`);
    },
  };
}
