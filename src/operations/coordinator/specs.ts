import { COORDINATOR_STATES } from '#core/coordinator/session-states.js';
import { type ArgumentSpec, type OptionSpec, operationSpecs } from '#operations/operation-spec.js';

const ID = { field: 'id', summary: 'The number of the session', required: true } as const satisfies ArgumentSpec;
const each = <const Field extends string>(
  flag: string,
  field: Field,
  value: string,
  summary: string,
): OptionSpec<Field, 'list'> => ({
  flag,
  field,
  value,
  summary,
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
    name: 'session.change',
    command: 'service set-coordinator',
    group: 'Service',
    kind: 'write',
    summary: 'Pause, resume, stop, archive or delete a session',
    arguments: [ID],
    options: [
      {
        flag: 'state',
        field: 'state',
        type: 'text',
        value: 'STATE',
        values: COORDINATOR_STATES,
        summary: 'running, paused; stopped: starts nothing more; archived; deleted: its tasks return to session 0',
      },
    ],
    examples: [
      'troupe service set-coordinator 1 --state paused',
      'troupe service set-coordinator 0 --state running --json',
    ],
    load: () => import('./sessions.js').then((module) => module.changeCoordinator),
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
