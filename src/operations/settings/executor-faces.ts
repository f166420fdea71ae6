import { faces } from '#operations/face.js';

/** Who runs tasks, as seen from outside. */
export const EXECUTOR_FACES = faces([
  {
    name: 'executor.list',
    command: 'executor list',
    group: 'Service',
    kind: 'read',
    where: 'caller',
    summary: 'Show the clients and programs that can run tasks, and which of the project are trusted',
    examples: ['troupe executor list', 'troupe executor list --json'],
    load: () => import('./list-executors.js').then((module) => module.list),
  },
  {
    name: 'executor.trust',
    command: 'executor trust',
    group: 'Service',
    kind: 'write',
    where: 'caller',
    summary: 'Let an executor of the project be used on this machine, as its file stands now',
    arguments: [{ field: 'name', summary: 'The file without .toml, below .workgraph/executors', required: true }],
    options: [
      { flag: 'show', field: 'show', type: 'switch', summary: 'Only show what it would start' },
      { flag: 'withdraw', field: 'withdraw', type: 'switch', summary: 'Take the trust back' },
    ],
    examples: ['troupe executor trust sandbox --show', 'troupe executor trust sandbox'],
    load: () => import('./trust-executor.js').then((module) => module.trust),
  },
]);
