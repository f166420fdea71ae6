import { POSITIONS } from '#core/teams/team.js';
import { type ArgumentSpec, type OptionSpec, operationSpecs } from '#operations/operation-spec.js';

const TEAM = { field: 'team', summary: 'Its name or id', required: true } as const satisfies ArgumentSpec;
const NAME = { field: 'name', summary: 'The name of the member', required: true } as const satisfies ArgumentSpec;
const STOP = {
  flag: 'stop',
  field: 'stop',
  type: 'switch',
  summary: 'Stop what its members are at work on',
} as const satisfies OptionSpec;

// biome-ignore format: one row an operation reads best
export const TEAMS_SPECS = operationSpecs([
  {
    name: 'team.create', command: 'team create', group: 'Team', kind: 'write', graphless: true,
    summary: 'Create a team with its leader; without a name it gets one of its own',
    arguments: [{ field: 'name', summary: 'What it is called' }],
    options: [
      { flag: 'leader', field: 'leader', type: 'text', value: 'NAME', summary: 'Who leads it' },
      { flag: 'description', field: 'description', type: 'text', value: 'TEXT', summary: 'What it is for' },
      { flag: 'mesh', field: 'mesh', type: 'switch', summary: 'Members may write to one another' },
    ],
    examples: ['troupe team create airlock --leader Ripley', 'troupe team create "" --leader Bishop --mesh --description "Keeps watch"'],
    load: () => import('./teams.js').then((module) => module.create),
  },
  {
    name: 'team.list', command: 'team list', group: 'Team', kind: 'read', graphless: true,
    summary: 'Show all teams, those that ended too',
    examples: ['troupe team list', 'troupe team list --json'],
    load: () => import('./teams.js').then((module) => module.list),
  },
  {
    name: 'team.show', command: 'team show', group: 'Team', kind: 'read', graphless: true,
    summary: 'Show the team of this project as it was cast, or the one named',
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
      { flag: 'agent', field: 'agent', type: 'text', value: 'ID', summary: 'The agent of the agency it is, by id or name' },
      { flag: 'person', field: 'person', type: 'text', value: 'NAME', summary: 'The person it stands for' },
    ],
    examples: ['troupe team add airlock Hicks', 'troupe team add airlock Newt --position observer --person ann'],
    load: () => import('./teams.js').then((module) => module.add),
  },
  {
    name: 'team.remove', command: 'team remove', group: 'Team', kind: 'write', graphless: true,
    summary: 'Take a member off a team; the leader hands over the lead',
    arguments: [TEAM, NAME],
    options: [{ flag: 'leader', field: 'leader', type: 'text', value: 'NEXT', summary: 'The member who leads from now on' }],
    examples: ['troupe team remove airlock Newt', 'troupe team remove airlock Ripley --leader Hicks'],
    load: () => import('./teams.js').then((module) => module.remove),
  },
  {
    name: 'team.rename', command: 'team rename', group: 'Team', kind: 'write', graphless: true,
    summary: 'Give a team another name',
    arguments: [TEAM, { field: 'name', summary: 'The new name', required: true }],
    examples: ['troupe team rename airlock "night watch"', 'troupe team rename "night watch" airlock'],
    load: () => import('./teams.js').then((module) => module.rename),
  },
  {
    name: 'team.events', command: 'team events', group: 'Team', kind: 'read', graphless: true,
    summary: 'Show what happened to a team, the latest at the end',
    arguments: [TEAM],
    options: [
      { flag: 'after', field: 'after', type: 'number', value: 'SEQ', summary: 'Only what came after this event' },
      { flag: 'limit', field: 'limit', type: 'number', value: 'N', summary: 'At most N' },
    ],
    examples: ['troupe team events airlock', 'troupe team events airlock --limit 5 --json'],
    load: () => import('./teams.js').then((module) => module.events),
  },
  {
    name: 'team.archive', command: 'team archive', group: 'Team', kind: 'write', graphless: true,
    summary: 'End a team; it stays to be read, and is never changed again',
    arguments: [TEAM], options: [STOP],
    examples: ['troupe team archive airlock', 'troupe team archive airlock --stop'],
    load: () => import('./ending.js').then((module) => module.archive),
  },
  {
    name: 'team.disband', command: 'team disband', group: 'Team', kind: 'write', graphless: true,
    summary: 'End a team; all its members leave',
    arguments: [TEAM], options: [STOP],
    examples: ['troupe team disband nostromo', 'troupe team disband nostromo --stop'],
    load: () => import('./ending.js').then((module) => module.disband),
  },
]);
