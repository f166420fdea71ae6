import type { OptionSpec } from '#operations/operation-spec.js';
import type { CliCommand } from './invocation.js';

export const AGENTS: OptionSpec = {
  flag: 'max-agents',
  field: 'max_agents',
  type: 'number',
  value: 'N',
  summary: 'How many tasks may run at once (default: as configured, 4)',
};

const EXECUTORS: readonly OptionSpec[] = [
  {
    flag: 'executor',
    field: 'executor',
    type: 'text',
    value: 'NAME',
    summary: 'The client that does tasks without a command (default: as configured; shell: none)',
  },
  { flag: 'model', field: 'model', type: 'text', value: 'MODEL', summary: 'The model that clients use' },
];
export const CLIENT_OPTIONS: readonly OptionSpec[] = [
  ...EXECUTORS,
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

const POLL: OptionSpec = {
  flag: 'poll-interval',
  aliases: ['interval'],
  field: 'poll_interval',
  type: 'number',
  value: 'SECONDS',
  summary: 'Look again at least this often (default: as configured, 60)',
};

const SOCKET: OptionSpec = {
  flag: 'socket',
  field: 'socket',
  type: 'text',
  value: 'PATH',
  summary: 'Listen here as well, for programs of yours; in a folder that only you may enter',
};

/** The service, from the command line. */
export const SERVICE_COMMANDS: readonly CliCommand[] = [
  {
    command: 'service start',
    group: 'Service',
    summary: 'Start the background service of this project',
    options: [
      AGENTS,
      POLL,
      ...CLIENT_OPTIONS,
      SOCKET,
      { flag: 'force', field: 'force', type: 'switch', summary: 'Replace one that is there; running tasks go on' },
    ],
    examples: ['troupe service start', 'troupe service start --max-agents 8 --interval 30'],
    load: () => import('./commands/service.js').then(({ start }) => ({ execute: start })),
  },
  {
    command: 'service restart',
    group: 'Service',
    summary: 'Stop it and start it again, as it was started or as said now',
    options: [AGENTS, POLL, ...CLIENT_OPTIONS, SOCKET],
    examples: ['troupe service restart', 'troupe service restart --max-agents 2 --json'],
    load: () => import('./commands/service.js').then(({ restart }) => ({ execute: restart })),
  },
  {
    command: 'service reload',
    group: 'Service',
    summary: 'Change how it works while it runs; without flags, read config.toml again',
    options: [AGENTS, POLL, ...EXECUTORS],
    examples: ['troupe service reload', 'troupe service reload --max-agents 2'],
    load: () => import('./commands/service.js').then(({ reload }) => ({ execute: reload })),
  },
  {
    command: 'service stop',
    group: 'Service',
    summary: 'Stop it; running tasks go on',
    options: [
      { flag: 'kill-agents', field: 'kill_agents', type: 'switch', summary: 'End running tasks and give them back' },
      { flag: 'force', field: 'force', type: 'switch', summary: 'Also one that does not answer' },
    ],
    examples: ['troupe service stop', 'troupe service stop --kill-agents'],
    load: () => import('./commands/service.js').then(({ stop }) => ({ execute: stop })),
  },
  {
    command: 'service tick',
    group: 'Service',
    summary: 'Look at once, also where no service runs',
    options: [{ flag: 'dry-run', field: 'dry_run', type: 'switch', summary: 'Only say what would be decided' }],
    examples: ['troupe service tick', 'troupe service tick --dry-run --json'],
    load: () => import('./commands/service.js').then(({ tick }) => ({ execute: tick })),
  },
  ...(['status', 'pause', 'resume'] as const).map(
    (word): CliCommand => ({
      command: `service ${word}`,
      group: 'Service',
      ...(word === 'status' ? { forRuns: true } : {}),
      summary: {
        status: 'Say whether it runs, and what it does',
        pause: 'Start nothing new, also after a restart; running tasks go on',
        resume: 'Go on after a pause',
      }[word],
      examples: [`troupe service ${word}`, `troupe service ${word} --json`],
      load: async () => {
        const { ask } = await import('./commands/service.js');
        return { execute: (invocation) => ask(invocation, word) };
      },
    }),
  ),
];
