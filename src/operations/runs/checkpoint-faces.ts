import { faces } from '#operations/face.js';
import { ACTOR, ID } from '#operations/options.js';

/** Checkpoints as seen from outside. */
export const CHECKPOINT_FACES = faces([
  {
    name: 'task.checkpoint',
    command: 'checkpoint',
    group: 'Work',
    kind: 'write',
    forRuns: 'any',
    summary: 'Leave word how far a task has come, for whoever goes on',
    arguments: [ID],
    options: [
      {
        flag: 'summary',
        short: 's',
        field: 'summary',
        type: 'text',
        value: 'TEXT',
        summary: 'What works, what is left',
      },
      { flag: 'file', field: 'files', type: 'each', value: 'FILE', summary: 'A file that was changed' },
      { flag: 'list', field: 'list', type: 'switch', summary: 'Only show those there are' },
      ACTOR,
    ],
    examples: [
      'troupe checkpoint write-the-parser -s "the lexer works" --file src/lexer.ts',
      'troupe checkpoint write-the-parser --list',
    ],
    load: () => import('./checkpoint.js').then((module) => module.checkpoint),
  },
]);
