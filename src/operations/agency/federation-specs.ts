import { KINDS } from '#core/agency/entities.js';
import { type OptionSpec, operationSpecs } from '#operations/operation-spec.js';

const NAME = { field: 'name', summary: 'Its name here', required: true } as const;
const FROM = {
  field: 'from',
  summary: 'A remote, a path with a slash, or the URL of a git repository',
  required: true,
  path: 'if-like-one',
} as const;
const IDS = { field: 'ids', summary: 'Only these: ids, id prefixes or names', many: true } as const;
// biome-ignore format: one row an option reads best
const WISH = [
  { flag: 'roles-only', field: 'roles_only', type: 'switch', summary: 'Only roles' },
  { flag: 'tradeoffs-only', aliases: ['motivations-only'], field: 'tradeoffs_only', type: 'switch', summary: 'Only trade-offs' },
  { flag: 'type', field: 'type', type: 'text', value: 'T', values: KINDS, summary: 'Only this kind: role, tradeoff or agent' },
  { flag: 'dry-run', field: 'dry_run', type: 'switch', summary: 'Show what would happen, change nothing' },
  { flag: 'force', field: 'force', type: 'switch', summary: 'Overwrite names and other editable fields with the incoming values' },
] as const satisfies readonly OptionSpec[];

/** Operations on agencies shared between projects. */
// biome-ignore format: one row an operation reads best
export const FEDERATION_SPECS = operationSpecs([
  {
    name: 'agency.remote.add', command: 'agency remote add', group: 'Agency', kind: 'write', graphless: true, summary: 'Add the agency of another project as a remote',
    arguments: [NAME, { field: 'path', summary: 'The project, its .workgraph, an agency folder, or a git repository', required: true, path: 'always' }],
    options: [{ flag: 'ref', field: 'ref', type: 'text', value: 'BRANCH', summary: 'Branch of a git repository (default: troupe/agency)' }, { flag: 'description', short: 'd', field: 'description', type: 'text', value: 'TEXT', summary: 'A one-line description' }],
    examples: ['troupe agency remote add shared ../shared', 'troupe agency remote add team git@example.org:team/agency.git -d "Of all our teams."'],
    load: () => import('./remotes.js').then((module) => module.remoteAdd),
  },
  {
    name: 'agency.remote.list', command: 'agency remote list', group: 'Agency', kind: 'read', graphless: true, summary: 'List the remotes',
    examples: ['troupe agency remote list', 'troupe agency remote list --json'],
    load: () => import('./remotes.js').then((module) => module.remoteList),
  },
  {
    name: 'agency.remote.show', command: 'agency remote show', group: 'Agency', kind: 'read', graphless: true, summary: 'Show a remote and whether it can be reached',
    arguments: [NAME], examples: ['troupe agency remote show shared', 'troupe agency remote show shared --json'],
    load: () => import('./remotes.js').then((module) => module.remoteShow),
  },
  {
    name: 'agency.remote.remove', command: 'agency remote remove', group: 'Agency', kind: 'write', graphless: true, summary: 'Remove a remote; what came from it stays',
    arguments: [NAME], examples: ['troupe agency remote remove shared', 'troupe agency remote remove shared --json'],
    load: () => import('./remotes.js').then((module) => module.remoteRemove),
  },
  {
    name: 'agency.scan', command: 'agency scan', group: 'Agency', kind: 'read', where: 'caller', graphless: true, summary: 'Show what another agency has',
    arguments: [FROM],
    examples: ['troupe agency scan shared', 'troupe agency scan ./../shared --json'],
    load: () => import('./pull.js').then((module) => module.agencyScan),
  },
  {
    name: 'agency.pull', command: 'agency pull', group: 'Agency', kind: 'write', graphless: true, summary: 'Copy entries from another agency; they wait until you accept them',
    arguments: [FROM, IDS], options: WISH,
    examples: ['troupe agency pull shared --dry-run', 'troupe agency pull shared "Careful Programmer"'],
    load: () => import('./pull.js').then((module) => module.agencyPull),
  },
  {
    name: 'agency.push', command: 'agency push', group: 'Agency', kind: 'write', graphless: true, summary: 'Copy your entries to another agency; they wait there until accepted',
    arguments: [{ ...FROM, field: 'to' }, IDS], options: WISH,
    examples: ['troupe agency push shared --dry-run', 'troupe agency push shared --roles-only'],
    load: () => import('./pull.js').then((module) => module.agencyPush),
  },
  {
    name: 'agency.merge', command: 'agency merge', group: 'Agency', kind: 'write', graphless: true, summary: 'Copy entries from several agencies, all or none; they wait until you accept them',
    arguments: [{ ...FROM, field: 'sources', many: true }], options: WISH,
    examples: ['troupe agency merge shared ../other --dry-run', 'troupe agency merge shared ../other --roles-only'],
    load: () => import('./pull.js').then((module) => module.agencyMerge),
  },
]);
