import { KEPT_LAYOUTS } from '#core/squad/migrate.js';
import { type ArgumentSpec, operationSpecs } from '#operations/operation-spec.js';
import { CLIENT_FILES_OPTION } from './casting-specs.js';

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
    summary: 'Show a member with its charter and diary',
    arguments: [MEMBER],
    examples: ['troupe member show Neo', 'troupe member show trinity --json'],
    load: () => import('./members.js').then((module) => module.show),
  },
  {
    name: 'member.add', command: 'member add', group: 'Members', kind: 'write', graphless: true, writesOutside: true,
    summary: 'Add a member, named from the universe of the team',
    arguments: [ARCHETYPE],
    options: [CLIENT_FILES_OPTION],
    examples: ['troupe member add qa-engineer', 'troupe member add writer --json'],
    load: () => import('./members.js').then((module) => module.add),
  },
  {
    name: 'member.rerole', command: 'member rerole', group: 'Members', kind: 'write', graphless: true, writesOutside: true,
    summary: 'Change the role of a member; name and id stay',
    arguments: [MEMBER, ARCHETYPE],
    options: [CLIENT_FILES_OPTION],
    examples: ['troupe member rerole Neo security-engineer', 'troupe member rerole trinity editor --json'],
    load: () => import('./members.js').then((module) => module.rerole),
  },
  {
    name: 'member.charter', command: 'member charter', group: 'Members', kind: 'write', graphless: true, writesOutside: true,
    summary: 'Set the charter of a member',
    arguments: [MEMBER],
    options: [
      { flag: 'file', field: 'file', type: 'text', value: 'PATH', path: 'always', summary: 'A file of the project with the charter' },
      { flag: 'text', field: 'charter', type: 'text', value: 'TEXT', summary: 'The text of the charter' },
      CLIENT_FILES_OPTION,
    ],
    examples: ['troupe member charter Neo --file notes/neo.md', 'troupe member charter Neo --text "Writes the release notes, and nothing else."'],
    load: () => import('./members.js').then((module) => module.charter),
  },
  {
    name: 'member.retire', command: 'member retire', group: 'Members', kind: 'write', graphless: true, writesOutside: true,
    summary: 'Retire a member; its open tasks are unassigned',
    arguments: [MEMBER],
    options: [{ flag: 'leader', field: 'leader', type: 'text', value: 'NAME', summary: 'The new leader, if the leader retires' }, CLIENT_FILES_OPTION],
    examples: ['troupe member retire Tank', 'troupe member retire Neo --leader Trinity'],
    load: () => import('./members.js').then((module) => module.retire),
  },
  {
    name: 'member.restore', command: 'member restore', group: 'Members', kind: 'write', graphless: true, writesOutside: true,
    summary: 'Restore a retired member with the same id',
    arguments: [MEMBER],
    options: [CLIENT_FILES_OPTION],
    examples: ['troupe member restore Tank', 'troupe member restore tank --json'],
    load: () => import('./members.js').then((module) => module.restore),
  },
  {
    name: 'member.rename', command: 'member rename', group: 'Members', kind: 'write', graphless: true, writesOutside: true,
    summary: 'Rename a member; the old name stays reserved',
    arguments: [
      { field: 'member', summary: 'The member, or its first event if two share a name', names: 'member', required: true },
      { field: 'name', summary: 'The new name', required: true },
    ],
    options: [CLIENT_FILES_OPTION],
    examples: ['troupe member rename Tank Dozer', 'troupe member rename 01J8Z0 Dozer'],
    load: () => import('./members.js').then((module) => module.rename),
  },
  {
    name: 'squad.check', command: 'squad check', group: 'Members', kind: 'read', graphless: true,
    summary: 'Check whether the team files match the team events',
    examples: ['troupe squad check', 'troupe squad check --json'],
    load: () => import('#operations/squad/team-files.js').then((module) => module.check),
  },
  {
    name: 'squad.render', command: 'squad render', group: 'Members', kind: 'write', graphless: true, writesOutside: true,
    summary: 'Regenerate the team files from the team events',
    options: [
      CLIENT_FILES_OPTION,
    ],
    examples: ['troupe squad render', 'troupe squad render --clients'],
    load: () => import('#operations/squad/team-files.js').then((module) => module.render),
  },
  {
    name: 'squad.migrate', command: 'squad migrate', group: 'Members', kind: 'write', graphless: true,
    summary: 'Migrate the state of another tool',
    options: [
      { flag: 'dry-run', field: 'dry_run', type: 'switch', summary: 'Show what would change, change nothing' },
      { flag: 'keep', field: 'keep', type: 'text', value: 'LAYOUT', values: KEPT_LAYOUTS, summary: 'Which state to keep if two conflict' },
    ],
    examples: ['troupe squad migrate --dry-run', 'troupe squad migrate --keep canonical'],
    load: () => import('#operations/squad/team-files.js').then((module) => module.migrate),
  },
]);
