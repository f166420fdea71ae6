import { POSITIONS } from '#core/teams/team.js';
import { type ArgumentSpec, type OptionSpec, operationSpecs } from '#operations/operation-spec.js';

const TEAM = { field: 'team', summary: 'Its name or id', required: true } as const satisfies ArgumentSpec;
const NAME = { field: 'name', summary: 'The name of the member', required: true } as const satisfies ArgumentSpec;
const STOP = {
  flag: 'stop',
  field: 'stop',
  type: 'switch',
  summary: 'Stop the running work of its members',
} as const satisfies OptionSpec;

// biome-ignore format: one row an operation reads best
export const TEAMS_SPECS = operationSpecs([
  {
    name: 'team.create', command: 'team create', group: 'Team', kind: 'write', graphless: true,
    summary: 'Create a team with its leader; an empty name generates one',
    arguments: [{ field: 'name', summary: 'Its name' }],
    options: [
      { flag: 'leader', field: 'leader', type: 'text', value: 'NAME', summary: 'Its leader' },
      { flag: 'description', field: 'description', type: 'text', value: 'TEXT', summary: 'Its purpose' },
      { flag: 'mesh', field: 'mesh', type: 'switch', summary: 'Let members write to one another' },
    ],
    examples: ['troupe team create airlock --leader Ripley', 'troupe team create "" --leader Bishop --mesh --description "Keeps watch"'],
    load: () => import('./teams.js').then((module) => module.create),
  },
  {
    name: 'team.list', command: 'team list', group: 'Team', kind: 'read', graphless: true,
    summary: 'List all teams, including ended ones',
    examples: ['troupe team list', 'troupe team list --json'],
    load: () => import('./teams.js').then((module) => module.list),
  },
  {
    name: 'team.show', command: 'team show', group: 'Team', kind: 'read', graphless: true,
    summary: 'Show the cast team of this project, or another team',
    arguments: [{ field: 'team', summary: 'Its name or id' }],
    examples: ['troupe team show', 'troupe team show airlock'],
    load: () => import('./teams.js').then((module) => module.show),
  },
  {
    name: 'team.add', command: 'team add', group: 'Team', kind: 'write', graphless: true,
    summary: 'Add a member to a team',
    arguments: [TEAM, NAME],
    options: [
      { flag: 'position', field: 'position', type: 'text', value: 'WORD', values: POSITIONS, summary: 'leader, member or observer (default: member)' },
      { flag: 'agent', field: 'agent', type: 'text', value: 'ID', summary: 'The agent it is, by id or name' },
      { flag: 'person', field: 'person', type: 'text', value: 'NAME', summary: 'The person it stands for' },
    ],
    examples: ['troupe team add airlock Hicks', 'troupe team add airlock Newt --position observer --person ann'],
    load: () => import('./teams.js').then((module) => module.add),
  },
  {
    name: 'team.remove', command: 'team remove', group: 'Team', kind: 'write', graphless: true,
    summary: 'Remove a member from a team; a leader needs a successor',
    arguments: [TEAM, NAME],
    options: [{ flag: 'leader', field: 'leader', type: 'text', value: 'NEXT', summary: 'The new leader' }],
    examples: ['troupe team remove airlock Newt', 'troupe team remove airlock Ripley --leader Hicks'],
    load: () => import('./teams.js').then((module) => module.remove),
  },
  {
    name: 'team.rename', command: 'team rename', group: 'Team', kind: 'write', graphless: true,
    summary: 'Rename a team',
    arguments: [TEAM, { field: 'name', summary: 'The new name', required: true }],
    examples: ['troupe team rename airlock "night watch"', 'troupe team rename "night watch" airlock'],
    load: () => import('./teams.js').then((module) => module.rename),
  },
  {
    name: 'team.events', command: 'team events', group: 'Team', kind: 'read', graphless: true,
    summary: 'Show the events of a team, latest last',
    arguments: [TEAM],
    options: [
      { flag: 'after', field: 'after', type: 'number', value: 'SEQ', summary: 'Only events after this one' },
      { flag: 'limit', field: 'limit', type: 'number', value: 'N', summary: 'At most N' },
    ],
    examples: ['troupe team events airlock', 'troupe team events airlock --limit 5 --json'],
    load: () => import('./teams.js').then((module) => module.events),
  },
  {
    name: 'team.archive', command: 'team archive', group: 'Team', kind: 'write', graphless: true,
    summary: 'Archive a team: it becomes read-only',
    arguments: [TEAM], options: [STOP],
    examples: ['troupe team archive airlock', 'troupe team archive airlock --stop'],
    load: () => import('./ending.js').then((module) => module.archive),
  },
  {
    name: 'team.disband', command: 'team disband', group: 'Team', kind: 'write', graphless: true,
    summary: 'Disband a team; all its members leave',
    arguments: [TEAM], options: [STOP],
    examples: ['troupe team disband nostromo', 'troupe team disband nostromo --stop'],
    load: () => import('./ending.js').then((module) => module.disband),
  },
]);
