import { KEEPS } from '#core/team/migrate.js';
import { type ArgumentSpec, operationSpecs } from '#operations/operation-spec.js';
import { CLIENT_FILES } from './casting-specs.js';

const MEMBER = {
  field: 'member',
  summary: 'The name of the member',
  names: 'member',
  required: true,
} as const satisfies ArgumentSpec;
const ARCHETYPE = {
  field: 'archetype',
  summary: 'An id from `cast archetypes`',
  required: true,
} as const satisfies ArgumentSpec;

// biome-ignore format: one row an operation reads best
export const TEAM_SPECS = operationSpecs([
  {
    name: 'member.show', command: 'member show', group: 'Members', kind: 'read', graphless: true,
    summary: 'Show one member with its charter and its diary',
    arguments: [MEMBER],
    examples: ['troupe member show Neo', 'troupe member show trinity --json'],
    load: () => import('./members.js').then((module) => module.show),
  },
  {
    name: 'member.add', command: 'member add', group: 'Members', kind: 'write', graphless: true, writesOutside: true,
    summary: 'Add a member to the team, named from its universe',
    arguments: [ARCHETYPE],
    options: [CLIENT_FILES],
    examples: ['troupe member add qa-engineer', 'troupe member add writer --json'],
    load: () => import('./members.js').then((module) => module.add),
  },
  {
    name: 'member.rerole', command: 'member rerole', group: 'Members', kind: 'write', graphless: true, writesOutside: true,
    summary: 'Give a member another role; name and id stay',
    arguments: [MEMBER, ARCHETYPE],
    options: [CLIENT_FILES],
    examples: ['troupe member rerole Neo security-engineer', 'troupe member rerole trinity editor --json'],
    load: () => import('./members.js').then((module) => module.rerole),
  },
  {
    name: 'member.charter', command: 'member charter', group: 'Members', kind: 'write', graphless: true, writesOutside: true,
    summary: 'Give a member a charter in your own words',
    arguments: [MEMBER],
    options: [
      { flag: 'file', field: 'file', type: 'text', value: 'PATH', path: 'always', summary: 'The file of the project that holds it' },
      { flag: 'text', field: 'charter', type: 'text', value: 'TEXT', summary: 'The charter itself' },
      CLIENT_FILES,
    ],
    examples: ['troupe member charter Neo --file notes/neo.md', 'troupe member charter Neo --text "Writes the release notes, and nothing else."'],
    load: () => import('./members.js').then((module) => module.charter),
  },
  {
    name: 'member.retire', command: 'member retire', group: 'Members', kind: 'write', graphless: true, writesOutside: true,
    summary: 'Let a member go; its open tasks belong to nobody then',
    arguments: [MEMBER],
    options: [{ flag: 'leader', field: 'leader', type: 'text', value: 'NAME', summary: 'Who leads, when the leader goes' }, CLIENT_FILES],
    examples: ['troupe member retire Tank', 'troupe member retire Neo --leader Trinity'],
    load: () => import('./members.js').then((module) => module.retire),
  },
  {
    name: 'member.restore', command: 'member restore', group: 'Members', kind: 'write', graphless: true, writesOutside: true,
    summary: 'Take back a member who left, with the same id',
    arguments: [MEMBER],
    options: [CLIENT_FILES],
    examples: ['troupe member restore Tank', 'troupe member restore tank --json'],
    load: () => import('./members.js').then((module) => module.restore),
  },
  {
    name: 'member.rename', command: 'member rename', group: 'Members', kind: 'write', graphless: true, writesOutside: true,
    summary: 'Give a member another name; the old one stays taken',
    arguments: [
      { field: 'member', summary: 'The member, or the first event of one of two that share a name', names: 'member', required: true },
      { field: 'name', summary: 'The new name', required: true },
    ],
    options: [CLIENT_FILES],
    examples: ['troupe member rename Tank Dozer', 'troupe member rename 01J8Z0 Dozer'],
    load: () => import('./members.js').then((module) => module.rename),
  },
  {
    name: 'squad.check', command: 'squad check', group: 'Members', kind: 'read', graphless: true,
    summary: 'Say where the files of the team differ from its events',
    examples: ['troupe squad check', 'troupe squad check --json'],
    load: () => import('./team-files.js').then((module) => module.check),
  },
  {
    name: 'squad.render', command: 'squad render', group: 'Members', kind: 'write', graphless: true, writesOutside: true,
    summary: 'Write again what follows from the events of the team',
    options: [
      CLIENT_FILES,
    ],
    examples: ['troupe squad render', 'troupe squad render --clients'],
    load: () => import('./team-files.js').then((module) => module.render),
  },
  {
    name: 'squad.migrate', command: 'squad migrate', group: 'Members', kind: 'write', graphless: true,
    summary: 'Bring the state of another tool into the form of this one',
    options: [
      { flag: 'dry-run', field: 'dry_run', type: 'switch', summary: 'Only say what would be done' },
      { flag: 'keep', field: 'keep', type: 'text', value: 'LAYOUT', values: KEEPS, summary: 'Which state counts where two disagree' },
    ],
    examples: ['troupe squad migrate --dry-run', 'troupe squad migrate --keep canonical'],
    load: () => import('./team-files.js').then((module) => module.migrate),
  },
]);
