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

/** The commands about sessions as seen from outside. */
export const SESSION_SPECS = operationSpecs([
  {
    name: 'session.create',
    command: 'service create-coordinator',
    group: 'Service',
    kind: 'write',
    summary: 'Make a session that looks after some of the tasks',
    arguments: [{ field: 'name', summary: 'What it is called' }],
    options: [
      each('tag', 'tags', 'TAG', 'Tasks with this tag are its own'),
      each('root', 'roots', 'ID', 'This task and all that depend on it are its own'),
      { flag: 'max-agents', field: 'max_agents', type: 'number', value: 'N', summary: 'At most so many of it at once' },
      { flag: 'executor', field: 'executor', type: 'text', value: 'NAME', summary: 'The client that does its tasks' },
      { flag: 'model', field: 'model', type: 'text', value: 'MODEL', summary: 'The model that its clients use' },
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
    summary: 'List the sessions and what is theirs',
    examples: ['troupe service list-coordinators', 'troupe service list-coordinators --json'],
    load: () => import('./sessions.js').then((module) => module.listCoordinators),
  },
  {
    name: 'session.stop',
    command: 'service stop-coordinator',
    group: 'Service',
    kind: 'write',
    summary: 'Start nothing more of a session; its running tasks go on',
    arguments: [ID],
    examples: ['troupe service stop-coordinator 1', 'troupe service stop-coordinator 1 --json'],
    load: () => import('./sessions.js').then((module) => module.stopCoordinator),
  },
  {
    name: 'session.archive',
    command: 'service archive-coordinator',
    group: 'Service',
    kind: 'write',
    summary: 'Put a session away that is done',
    arguments: [ID],
    examples: ['troupe service archive-coordinator 1', 'troupe service archive-coordinator 1 --json'],
    load: () => import('./sessions.js').then((module) => module.archiveCoordinator),
  },
  {
    name: 'session.delete',
    command: 'service delete-coordinator',
    group: 'Service',
    kind: 'write',
    summary: 'Remove a session; its tasks belong to the rest',
    arguments: [ID],
    examples: ['troupe service delete-coordinator 1', 'troupe service delete-coordinator 1 --json'],
    load: () => import('./sessions.js').then((module) => module.deleteCoordinator),
  },
  {
    name: 'session.pause',
    command: 'service pause-coordinator',
    group: 'Service',
    kind: 'write',
    summary: 'Start nothing more of a session for a while',
    arguments: [ID],
    examples: ['troupe service pause-coordinator 1', 'troupe service pause-coordinator 0 --json'],
    load: () => import('./sessions.js').then((module) => module.pauseCoordinator),
  },
  {
    name: 'session.resume',
    command: 'service resume-coordinator',
    group: 'Service',
    kind: 'write',
    summary: 'Let a session go on that was paused, stopped or archived',
    arguments: [ID],
    examples: ['troupe service resume-coordinator 1', 'troupe service resume-coordinator 0 --json'],
    load: () => import('./sessions.js').then((module) => module.resumeCoordinator),
  },
  {
    name: 'session.chat',
    command: 'chat',
    group: 'Messages',
    kind: 'write',
    summary: 'Talk with a session: it answers in its chat task',
    arguments: [{ field: 'message', summary: 'What is to be said (default: show what was said)' }],
    options: [
      { flag: 'coordinator', field: 'coordinator', type: 'text', value: 'ID', summary: 'Which session (default: 0)' },
    ],
    examples: ['troupe chat "what is left to do?"', 'troupe chat --coordinator 1 --json'],
    load: () => import('./sessions.js').then((module) => module.chat),
  },
]);
