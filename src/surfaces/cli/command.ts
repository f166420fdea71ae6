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
  summary: 'how many tasks may run at once (default: 4)',
};
const REVIEW_OPTIONS: readonly OptionFace[] = [
  {
    flag: 'run',
    field: 'run',
    type: 'text',
    value: 'MODE',
    summary: 'fast: quick scripts (default); all: the whole test command; none: only read',
  },
  AGENTS,
  { flag: 'exit', field: 'exit', type: 'switch', summary: 'end by itself, without waiting for q' },
];

export const COMMANDS: readonly CliCommand[] = [
  {
    command: 'run',
    group: 'Run',
    summary: 'have the team review this repository, here',
    arguments: [{ field: 'workflow', summary: 'the workflow (default: repository-review)' }],
    options: [...REVIEW_OPTIONS, { flag: 'resume', field: 'resume', type: 'switch', summary: 'go on where it was' }],
    examples: ['troupe run', 'troupe run --resume --exit'],
    load: () => import('./commands/run.js'),
  },
  {
    command: 'trial',
    group: 'Run',
    summary: 'the same on a scratch clone: nothing appears in your repository',
    arguments: [{ field: 'repository', summary: 'the repository (default: this folder)' }],
    options: REVIEW_OPTIONS,
    examples: ['troupe trial', 'troupe trial ../other --run none --exit'],
    load: () => import('./commands/trial.js'),
  },
  {
    command: 'dashboard',
    group: 'Run',
    summary: 'print a link to the dashboard of the running service',
    examples: ['troupe dashboard', 'troupe dashboard --json'],
    load: () => import('./commands/dashboard.js'),
  },
  {
    command: 'service start',
    group: 'Service',
    summary: 'start the background service of this project',
    options: [
      AGENTS,
      {
        flag: 'poll-interval',
        aliases: ['interval'],
        field: 'poll_interval',
        type: 'number',
        value: 'SECONDS',
        summary: 'look again at least this often (default: 60)',
      },
    ],
    examples: ['troupe service start', 'troupe service start --max-agents 8'],
    load: () => import('./commands/service-start.js'),
  },
  {
    command: 'service stop',
    group: 'Service',
    summary: 'stop it; running tasks go on',
    options: [
      { flag: 'kill-agents', field: 'kill_agents', type: 'switch', summary: 'end running tasks and give them back' },
    ],
    examples: ['troupe service stop', 'troupe service stop --kill-agents'],
    load: () => import('./commands/service-stop.js'),
  },
  ...(['status', 'tick', 'pause', 'resume'] as const).map(
    (word): CliCommand => ({
      command: `service ${word}`,
      group: 'Service',
      summary: {
        status: 'say whether it runs, and what it does',
        tick: 'have it look at once',
        pause: 'start nothing new; running tasks go on',
        resume: 'go on after a pause',
      }[word],
      examples: [`troupe service ${word}`, `troupe service ${word} --json`],
      load: async () => {
        const { ask } = await import('./commands/service-ask.js');
        return { execute: (invocation) => ask(invocation, word) };
      },
    }),
  ),
];
