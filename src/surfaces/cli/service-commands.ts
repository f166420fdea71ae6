import { specNamed } from '#operations/named.js';
import type { OptionSpec } from '#operations/operation-spec.js';
import { numberFlag, switchFlag, textFlag } from './flags.js';
import type { CliCommand } from './invocation.js';

export const AGENTS: OptionSpec = numberFlag('max-agents', 'N', 'Maximum concurrent tasks (default: as configured, 4)');

export const CLIENT_OPTIONS: readonly OptionSpec[] = [
  textFlag('executor', 'NAME', 'The client for tasks without a command (default: as configured; shell: none)'),
  textFlag('model', 'MODEL', 'The model for clients'),
  textFlag('budget-usd', 'AMOUNT', 'Spend at most this many US dollars from now on'),
  textFlag('budget-tokens', 'N', 'Use at most this many tokens from now on'),
];

const POLL: OptionSpec = numberFlag(
  'poll-interval',
  'SECONDS',
  'Seconds between ticks, at most (default: as configured, 60)',
  { aliases: ['interval'] },
);

const SOCKET: OptionSpec = textFlag('socket', 'PATH', 'Also listen on this socket, in a folder only you can access');

const LISTEN: readonly OptionSpec[] = [
  textFlag('listen', 'ADDRESS', 'Also listen over HTTP at this address and port; beyond this machine only with TLS'),
  textFlag('tls-cert', 'FILE', 'The certificate for --listen, in PEM'),
  textFlag('tls-key', 'FILE', 'Its key, which only you can read'),
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
      switchFlag('force', 'Replace a running service; running tasks continue'),
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
    options: [switchFlag('dry-run', 'Only show what would be decided')],
    examples: ['troupe service tick', 'troupe service tick --dry-run --json'],
    load: () => import('#surfaces/cli/commands/service.js').then(({ tickCommand: tick }) => ({ execute: tick })),
  },
];
