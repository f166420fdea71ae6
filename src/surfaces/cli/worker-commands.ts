import { listFlag, numberFlag, switchFlag, textFlag } from './flags.js';
import type { CliCommand } from './invocation.js';

/** Commands for workers that are no operations: start one, choose its leaders, try a fleet. */
export const WORKER_COMMANDS: readonly CliCommand[] = [
  {
    command: 'worker start',
    group: 'Service',
    summary: 'Carry attempts out in this clone, for the leader of a project in a database',
    options: [
      textFlag('name', 'NAME', 'How it is called (default: the name of this machine)'),
      numberFlag('slots', 'N', 'Maximum concurrent runs (default: 4)'),
      listFlag('label', 'LABEL', 'A label that tasks may ask for, such as gpu', { field: 'labels' }),
      listFlag('executor', 'NAME', 'A client that it may start (default: all that are installed; shell: none)', {
        field: 'executors',
      }),
      textFlag('grace', 'DURATION', 'How long runs go on after SIGTERM (default: 5m)'),
      switchFlag('yes', 'Agree that the leaders there are now run commands here'),
    ],
    examples: ['troupe worker start', 'troupe worker start --name box-2 --slots 8 --label gpu --yes'],
    load: () => import('#surfaces/cli/commands/worker.js').then(({ startWorker: execute }) => ({ execute })),
  },
  {
    command: 'worker agree',
    group: 'Service',
    summary: 'Say whose orders the worker of this clone carries out, also while it runs',
    options: [
      switchFlag('yes', 'Agree to all leaders there are now'),
      textFlag('forget', 'KEY', 'Agree to that leader no more'),
    ],
    examples: ['troupe worker agree', 'troupe worker agree --forget KEY'],
    load: () => import('#surfaces/cli/commands/worker-leaders.js').then(({ chooseLeaders: execute }) => ({ execute })),
  },
  {
    command: 'try fleet',
    group: 'Service',
    summary: 'Show a database, a leader and two workers on this machine, and remove them again',
    examples: ['troupe try fleet', 'troupe try fleet --json'],
    load: () => import('#surfaces/cli/commands/try-fleet.js'),
  },
];
