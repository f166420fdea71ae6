import { operationSpecs } from '#operations/operation-spec.js';
import { ID } from '#operations/options.js';

// biome-ignore format: one row an operation reads best
export const UNVERIFIED_SPECS = operationSpecs([
  {
    name: 'task.accept-edit', command: 'accept-edit', group: 'Review', kind: 'write',
    summary: 'Apply what graph.jsonl was changed to while runs were active',
    arguments: [ID], options: [],
    examples: ['troupe accept-edit write-the-parser', 'troupe accept-edit write-the-parser --json'],
    load: () => import('./unverified.js').then((module) => module.accept),
  },
  {
    name: 'task.discard-edit', command: 'discard-edit', group: 'Review', kind: 'write',
    summary: 'Discard what graph.jsonl was changed to while runs were active',
    arguments: [ID], options: [],
    examples: ['troupe discard-edit write-the-parser', 'troupe discard-edit write-the-parser --json'],
    load: () => import('./unverified.js').then((module) => module.discard),
  },
]);
