import { specNamed } from '#operations/named.js';
import type { OptionSpec } from '#operations/operation-spec.js';
import type { CliCommand } from './invocation.js';

export const AGENTS: OptionSpec = {
  flag: 'max-agents',
  field: 'max_agents',
  type: 'number',
  value: 'N',
  summary: 'Maximum concurrent tasks (default: as configured, 4)',
};

export const CLIENT_OPTIONS: readonly OptionSpec[] = [
  {
    flag: 'executor',
    field: 'executor',
    type: 'text',
    value: 'NAME',
    summary: 'The client for tasks without a command (default: as configured; shell: none)',
  },
  { flag: 'model', field: 'model', type: 'text', value: 'MODEL', summary: 'The model for clients' },
  {
    flag: 'budget-usd',
    field: 'budget_usd',
    type: 'text',
    value: 'AMOUNT',
    summary: 'Spend at most this many US dollars from now on',
  },
  {
    flag: 'budget-tokens',
    field: 'budget_tokens',
    type: 'text',
    value: 'N',
    summary: 'Use at most this many tokens from now on',
  },
];

const POLL: OptionSpec = {
  flag: 'poll-interval',
  aliases: ['interval'],
  field: 'poll_interval',
  type: 'number',
  value: 'SECONDS',
  summary: 'Seconds between ticks, at most (default: as configured, 60)',
};

const SOCKET: OptionSpec = {
  flag: 'socket',
  field: 'socket',
  type: 'text',
  value: 'PATH',
  summary: 'Also listen on this socket, in a folder only you can access',
};

const LISTEN: readonly OptionSpec[] = [
  {
    flag: 'listen',
    field: 'listen',
    type: 'text',
    value: 'ADDRESS',
    summary: 'Also listen over HTTP at this address and port; beyond this machine only with TLS',
  },
  { flag: 'tls-cert', field: 'tls_cert', type: 'text', value: 'FILE', summary: 'The certificate for --listen, in PEM' },
  { flag: 'tls-key', field: 'tls_key', type: 'text', value: 'FILE', summary: 'Its key, which only you can read' },
];

/** Commands that control the service. */
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
      ...LISTEN,
      { flag: 'force', field: 'force', type: 'switch', summary: 'Replace a running service; running tasks continue' },
    ],
    examples: ['troupe service start', 'troupe service start --max-agents 8 --poll-interval 30'],
    load: () => import('#surfaces/cli/commands/service.js').then(({ startCommand: start }) => ({ execute: start })),
  },
  {
    command: 'service restart',
    group: 'Service',
    summary: 'Restart the service, with its previous or new flags',
    options: [AGENTS, POLL, ...CLIENT_OPTIONS, SOCKET, ...LISTEN],
    examples: ['troupe service restart', 'troupe service restart --max-agents 2 --json'],
    load: () => import('#surfaces/cli/commands/service.js').then(({ restart }) => ({ execute: restart })),
  },
  {
    command: 'service stop',
    group: 'Service',
    summary: 'Stop the service; running tasks continue',
    options: specNamed('service.stop').options ?? [],
    examples: ['troupe service stop', 'troupe service stop --kill-agents'],
    load: () => import('#surfaces/cli/commands/service.js').then(({ stopCommand: stop }) => ({ execute: stop })),
  },
  {
    command: 'service tick',
    group: 'Service',
    summary: 'Run one tick now, even without a service',
    options: [{ flag: 'dry-run', field: 'dry_run', type: 'switch', summary: 'Only show what would be decided' }],
    examples: ['troupe service tick', 'troupe service tick --dry-run --json'],
    load: () => import('#surfaces/cli/commands/service.js').then(({ tickCommand: tick }) => ({ execute: tick })),
  },
];
