import { operationSpecs } from '#operations/operation-spec.js';

// biome-ignore format: one row an operation reads best
export const UNDO_SPECS = operationSpecs([
  {
    name: 'task.undo', command: 'undo', group: 'Tasks', kind: 'write',
    summary: 'Take back a retry, reopen, block, pause or resume that nothing has followed yet',
    arguments: [{ field: 'ids', summary: 'The tasks', names: 'task', required: true, many: true }],
    options: [
      { flag: 'since', field: 'since', type: 'number', value: 'SEQ', summary: 'Entry of the log that did it (default: the last about each task)' },
    ],
    examples: ['troupe undo run-the-tests', 'troupe undo run-the-tests write-the-parser --since 42'],
    load: () => import('./undo.js').then((module) => module.undo),
  },
]);
