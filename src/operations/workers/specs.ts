import { type ArgumentSpec, operationSpecs } from '#operations/operation-spec.js';

const NAME = { field: 'name', summary: 'The name of the worker', required: true } as const satisfies ArgumentSpec;

/** Commands about the leader and workers of a project. */
export const WORKER_SPECS = operationSpecs([
  {
    name: 'machine.list',
    command: 'machines',
    group: 'Service',
    kind: 'read',
    summary: 'Show who leads the project and what workers do',
    examples: ['troupe machines', 'troupe machines --json'],
    load: () => import('./machines.js').then((module) => module.machines),
  },
  {
    name: 'worker.list',
    command: 'worker list',
    group: 'Service',
    kind: 'read',
    where: 'caller',
    summary: 'Show every worker, its runs, and when it was last heard of',
    examples: ['troupe worker list', 'troupe worker list --json'],
    load: () => import('./workers.js').then((module) => module.workers),
  },
  {
    name: 'worker.drain',
    command: 'worker drain',
    group: 'Service',
    kind: 'write',
    where: 'caller',
    summary: 'Let a worker finish its runs, take nothing new, and go',
    arguments: [NAME],
    examples: ['troupe worker drain box-2', 'troupe worker drain box-2 --json'],
    load: () => import('./workers.js').then((module) => module.drain),
  },
  {
    name: 'worker.stop',
    command: 'worker stop',
    group: 'Service',
    kind: 'write',
    where: 'caller',
    summary: 'End the runs of a worker, publish what they made, and let it go',
    arguments: [NAME],
    examples: ['troupe worker stop box-2', 'troupe worker stop box-2 --json'],
    load: () => import('./workers.js').then((module) => module.stop),
  },
]);
