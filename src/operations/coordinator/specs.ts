import { type ArgumentSpec, type OptionSpec, operationSpecs } from '#operations/operation-spec.js';

const ID = { field: 'id', summary: 'The number of the session', required: true } as const satisfies ArgumentSpec;
const each = <const Field extends string>(
  flag: string,
  field: Field,
  value: string,
  summary: string,
): OptionSpec<Field, 'list'> => ({
  ...{ flag, field, value, summary },
  type: 'list',
});

/** Specs of the commands about sessions. */
export const SESSION_SPECS = operationSpecs([
  {
    name: 'session.create',
    command: 'service create-coordinator',
    group: 'Service',
    kind: 'write',
    summary: 'Create a session that handles some of the tasks',
    arguments: [{ field: 'name', summary: 'Its name' }],
    options: [
      each('tag', 'tags', 'TAG', 'Include tasks with this tag'),
      each('root', 'roots', 'ID', 'Include this task and everything that depends on it'),
      { flag: 'max-agents', field: 'max_agents', type: 'number', value: 'N', summary: 'Maximum concurrent agents' },
      { flag: 'executor', field: 'executor', type: 'text', value: 'NAME', summary: 'The client for its tasks' },
      { flag: 'model', field: 'model', type: 'text', value: 'MODEL', summary: 'The model for its clients' },
    ],
    examples: [
      'troupe service create-coordinator frontend --tag web',
      'troupe service create-coordinator release --root cut-the-branch --max-agents 1 --json',
    ],
    load: () => import('./sessions.js').then((module) => module.createCoordinator),
  },
  {
    name: 'session.list',
    command: 'service list-coordinators',
    group: 'Service',
    kind: 'read',
    summary: 'List the sessions and their tasks',
    examples: ['troupe service list-coordinators', 'troupe service list-coordinators --json'],
    load: () => import('./sessions.js').then((module) => module.listCoordinators),
  },
  {
    name: 'session.stop',
    command: 'service stop-coordinator',
    group: 'Service',
    kind: 'write',
    summary: 'Stop starting tasks of a session; running ones continue',
    arguments: [ID],
    examples: ['troupe service stop-coordinator 1', 'troupe service stop-coordinator 1 --json'],
    load: () => import('./sessions.js').then((module) => module.stopCoordinator),
  },
  {
    name: 'session.archive',
    command: 'service archive-coordinator',
    group: 'Service',
    kind: 'write',
    summary: 'Archive a finished session',
    arguments: [ID],
    examples: ['troupe service archive-coordinator 1', 'troupe service archive-coordinator 1 --json'],
    load: () => import('./sessions.js').then((module) => module.archiveCoordinator),
  },
  {
    name: 'session.delete',
    command: 'service delete-coordinator',
    group: 'Service',
    kind: 'write',
    summary: 'Delete a session; its tasks return to session 0',
    arguments: [ID],
    examples: ['troupe service delete-coordinator 1', 'troupe service delete-coordinator 1 --json'],
    load: () => import('./sessions.js').then((module) => module.deleteCoordinator),
  },
  {
    name: 'session.pause',
    command: 'service pause-coordinator',
    group: 'Service',
    kind: 'write',
    summary: 'Pause a session; running tasks continue',
    arguments: [ID],
    examples: ['troupe service pause-coordinator 1', 'troupe service pause-coordinator 0 --json'],
    load: () => import('./sessions.js').then((module) => module.pauseCoordinator),
  },
  {
    name: 'session.resume',
    command: 'service resume-coordinator',
    group: 'Service',
    kind: 'write',
    summary: 'Resume a paused, stopped or archived session',
    arguments: [ID],
    examples: ['troupe service resume-coordinator 1', 'troupe service resume-coordinator 0 --json'],
    load: () => import('./sessions.js').then((module) => module.resumeCoordinator),
  },
  {
    name: 'session.chat',
    command: 'chat',
    group: 'Messages',
    kind: 'write',
    summary: 'Chat with a session; it answers in its chat task',
    arguments: [{ field: 'message', summary: 'The message (default: show the chat)' }],
    options: [
      { flag: 'coordinator', field: 'coordinator', type: 'text', value: 'ID', summary: 'The session (default: 0)' },
    ],
    examples: ['troupe chat "what is left to do?"', 'troupe chat --coordinator 1 --json'],
    load: () => import('./sessions.js').then((module) => module.chat),
  },
]);
