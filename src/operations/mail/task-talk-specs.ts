import { type OptionSpec, operationSpecs } from '#operations/operation-spec.js';
import { ID } from '#operations/options.js';

const READER = {
  flag: 'actor',
  field: 'actor',
  type: 'text',
  value: 'NAME',
  summary: 'Who reads (default: you)',
} as const satisfies OptionSpec;

/** Specifications of the operations on messages about tasks. */
export const MESSAGE_SPECS = operationSpecs([
  {
    name: 'msg.send',
    command: 'msg send',
    group: 'Messages',
    kind: 'write',
    forRuns: 'any',
    summary: 'Send a message to whoever works on a task',
    arguments: [ID, { field: 'text', summary: 'The message text', required: true }],
    options: [
      { flag: 'from', field: 'from', type: 'text', value: 'NAME', summary: 'Who writes (default: you)' },
      {
        flag: 'priority',
        field: 'priority',
        type: 'text',
        value: 'WORD',
        summary: 'low, normal, high or urgent (default: normal)',
      },
    ],
    examples: [
      'troupe msg send write-the-parser "the grammar has changed"',
      'troupe msg send write-the-parser "stop for a moment" --priority urgent --from ben',
    ],
    load: () => import('./task-talk.js').then((module) => module.send),
  },
  {
    name: 'msg.list',
    command: 'msg list',
    group: 'Messages',
    kind: 'read',
    summary: 'Show the messages about a task',
    arguments: [ID],
    options: [{ flag: 'limit', field: 'limit', type: 'number', value: 'N', summary: 'Only the latest N' }, READER],
    examples: ['troupe msg list write-the-parser', 'troupe msg list write-the-parser --limit 5 --json'],
    load: () => import('./task-talk.js').then((module) => module.list),
  },
  {
    name: 'msg.read',
    command: 'msg read',
    group: 'Messages',
    kind: 'write',
    forRuns: 'any',
    summary: 'Show the new messages about a task and mark them read',
    arguments: [ID],
    options: [READER],
    examples: ['troupe msg read write-the-parser', 'troupe msg read write-the-parser --actor ben'],
    load: () => import('./task-talk.js').then((module) => module.read),
  },
  {
    name: 'msg.poll',
    command: 'msg poll',
    group: 'Messages',
    kind: 'read',
    summary: 'Check for new messages about a task: exit code 0 if any, else 1',
    arguments: [ID],
    options: [READER],
    examples: ['troupe msg poll write-the-parser', 'troupe msg poll write-the-parser --json'],
    load: () => import('./task-talk.js').then((module) => module.poll),
  },
]);
