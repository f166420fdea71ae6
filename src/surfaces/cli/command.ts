import type { RunMode } from '#core/review/plan.js';
import type { ArgumentFace, Group, OptionFace } from '#operations/face.js';
import type { Invocation } from './invocation.js';

/** A command that is more than one operation: it hosts something, or asks the service itself. */
export interface CliCommand {
  readonly command: string;
  readonly group: Group;
  readonly summary: string;
  readonly arguments?: readonly ArgumentFace[];
  readonly options?: readonly OptionFace[];
  readonly examples: readonly string[];
  /** Returns the exit code. */
  load(): Promise<{ execute(invocation: Invocation): Promise<number> }>;
}

const AGENTS: OptionFace = {
  flag: 'max-agents',
  field: 'max_agents',
  type: 'number',
  value: 'N',
  summary: 'How many tasks may run at once (default: 4)',
};
const CLIENT_OPTIONS: readonly OptionFace[] = [
  {
    flag: 'executor',
    field: 'executor',
    type: 'text',
    value: 'NAME',
    summary: 'The client that does tasks without a command (default: as configured; shell: none)',
  },
  { flag: 'model', field: 'model', type: 'text', value: 'MODEL', summary: 'The model that clients use' },
  {
    flag: 'budget-usd',
    field: 'budget_usd',
    type: 'text',
    value: 'AMOUNT',
    summary: 'Spend at most so many US dollars from now on',
  },
  {
    flag: 'budget-tokens',
    field: 'budget_tokens',
    type: 'text',
    value: 'N',
    summary: 'Use at most so many tokens from now on',
  },
];
const REVIEW_OPTIONS: readonly OptionFace[] = [
  {
    flag: 'run',
    field: 'run',
    type: 'text',
    value: 'MODE',
    values: ['fast', 'all', 'none'] satisfies RunMode[],
    summary: 'How much to run: fast (quick scripts, the default), all (the whole test command), none (only read)',
  },
  AGENTS,
  { flag: 'exit', field: 'exit', type: 'switch', summary: 'End by itself, without waiting for q' },
];

export const COMMANDS: readonly CliCommand[] = [
  {
    command: 'run',
    group: 'Run',
    summary: 'Have the team review this repository, here',
    arguments: [{ field: 'workflow', summary: 'The workflow (default: repository-review)' }],
    options: [
      ...REVIEW_OPTIONS,
      ...CLIENT_OPTIONS,
      { flag: 'resume', field: 'resume', type: 'switch', summary: 'Go on where it was' },
    ],
    examples: ['troupe run', 'troupe run --resume --exit'],
    load: () => import('./commands/run.js'),
  },
  {
    command: 'trial',
    group: 'Run',
    summary: 'The same on a scratch clone: nothing appears in your repository',
    arguments: [{ field: 'repository', summary: 'The repository (default: this folder)' }],
    options: REVIEW_OPTIONS,
    examples: ['troupe trial', 'troupe trial ../other --run none --exit'],
    load: () => import('./commands/trial.js'),
  },
  {
    command: 'watch',
    group: 'Data',
    summary: 'Tell what happens, as it happens: a line an event',
    options: [
      {
        flag: 'event',
        field: 'events',
        type: 'list',
        value: 'TYPE',
        summary: 'Only these: task_state, evaluation, agent, all, or a type such as task.completed',
      },
      { flag: 'task', field: 'task', type: 'text', value: 'PREFIX', summary: 'Only tasks whose id begins so' },
      { flag: 'replay', field: 'replay', type: 'number', value: 'N', summary: 'First the last N that match' },
      { flag: 'since', field: 'since', type: 'number', value: 'SEQ', summary: 'First all that match after this event' },
    ],
    examples: ['troupe watch', 'troupe watch --event task.completed --replay 10 --json'],
    load: () => import('./commands/watch.js'),
  },
  {
    command: 'worktree land',
    group: 'Run',
    summary: 'Take what gathered on wg/integration over into your branch',
    options: [{ flag: 'yes', short: 'y', field: 'yes', type: 'switch', summary: 'Do not ask' }],
    examples: ['troupe worktree land', 'troupe worktree land --yes --json'],
    load: () => import('./commands/worktree-land.js'),
  },
  {
    command: 'sweep',
    group: 'Run',
    summary: 'Give back tasks in progress that nobody works on',
    options: [
      { flag: 'yes', short: 'y', field: 'yes', type: 'switch', summary: 'Without asking' },
      { flag: 'dry-run', field: 'dry_run', type: 'switch', summary: 'Only list them' },
    ],
    examples: ['troupe sweep', 'troupe sweep --dry-run --json'],
    load: () => import('./commands/sweep.js'),
  },
  {
    command: 'dashboard',
    group: 'Run',
    summary: 'Print a link to the dashboard of the running service',
    examples: ['troupe dashboard', 'troupe dashboard --json'],
    load: () => import('./commands/dashboard.js'),
  },
  {
    command: 'service start',
    group: 'Service',
    summary: 'Start the background service of this project',
    options: [
      AGENTS,
      {
        flag: 'poll-interval',
        aliases: ['interval'],
        field: 'poll_interval',
        type: 'number',
        value: 'SECONDS',
        summary: 'Look again at least this often (default: 60)',
      },
      ...CLIENT_OPTIONS,
    ],
    examples: ['troupe service start', 'troupe service start --max-agents 8'],
    load: () => import('./commands/service-start.js'),
  },
  {
    command: 'service stop',
    group: 'Service',
    summary: 'Stop it; running tasks go on',
    options: [
      { flag: 'kill-agents', field: 'kill_agents', type: 'switch', summary: 'End running tasks and give them back' },
    ],
    examples: ['troupe service stop', 'troupe service stop --kill-agents'],
    load: () => import('./commands/service-stop.js'),
  },
  ...(['status', 'tick', 'pause', 'resume'] as const).map(
    (word): CliCommand => ({
      command: `service ${word}`,
      group: 'Service',
      summary: {
        status: 'Say whether it runs, and what it does',
        tick: 'Have it look at once',
        pause: 'Start nothing new; running tasks go on',
        resume: 'Go on after a pause',
      }[word],
      examples: [`troupe service ${word}`, `troupe service ${word} --json`],
      load: async () => {
        const { ask } = await import('./commands/service-ask.js');
        return { execute: (invocation) => ask(invocation, word) };
      },
    }),
  ),
];
