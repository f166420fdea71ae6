import { CONTEXT_SCOPES } from '#core/graph/task.js';
import { faces } from '#operations/face.js';

// biome-ignore format: one row an operation reads best
export const PROMPT_FACES = faces([
  {
    name: 'task.prompt', command: 'prompt', group: 'Run', kind: 'read',
    summary: 'What an attempt at a task is told, before anything is spent',
    arguments: [{ field: 'id', summary: 'The task', required: true }],
    options: [
      { flag: 'scope', field: 'scope', type: 'text', value: 'SCOPE', values: CONTEXT_SCOPES, summary: `How much: ${CONTEXT_SCOPES.join(', ')}` },
      { flag: 'attempt', field: 'attempt', type: 'number', value: 'N', summary: 'What this attempt was told' },
    ],
    examples: ['troupe prompt write-the-parser', 'troupe prompt write-the-parser --scope full', 'troupe prompt write-the-parser --attempt 1'],
    load: () => import('./show-prompt.js').then((module) => module.prompt),
  },
]);
