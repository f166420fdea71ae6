import { LANES } from '#core/roles/lane.js';
import { type ArgumentSpec, type OptionSpec, operationSpecs } from '#operations/operation-spec.js';

const NAME = { field: 'name', required: true, summary: 'The name of the role' } as const satisfies ArgumentSpec;
const LANE = {
  flag: 'lane',
  field: 'lane',
  type: 'text',
  value: 'L',
  values: LANES,
  summary: 'crew, panel or research',
} as const satisfies OptionSpec;

/** Specs for the roles of a repository, which evolve with the lessons of runs. Writing operations are for people. */
// biome-ignore format: one row an operation reads best
export const ROLE_FILE_SPECS = operationSpecs([
  {
    name: 'roles.list', command: 'roles list', group: 'Roles', kind: 'read', graphless: true, summary: 'List the roles of this repository and their rows in each lane',
    options: [LANE],
    examples: ['troupe roles list', 'troupe roles list --lane crew --json'],
    load: () => import('./look.js').then((module) => module.list),
  },
  {
    name: 'roles.show', command: 'roles show', group: 'Roles', kind: 'read', graphless: true, summary: 'Show a role and what it learned in each lane',
    arguments: [NAME],
    examples: ['troupe roles show skeptic', 'troupe roles show skeptic --json'],
    load: () => import('./look.js').then((module) => module.show),
  },
  {
    name: 'roles.check', command: 'roles check', group: 'Roles', kind: 'read', graphless: true, summary: 'Check the role files; problems by file and line',
    examples: ['troupe roles check', 'troupe roles check --json'],
    load: () => import('./look.js').then((module) => module.check),
  },
  {
    name: 'roles.evolve', command: 'roles evolve', group: 'Roles', kind: 'read', graphless: true, summary: 'Report crowded, stale or contradicted lessons; changes nothing',
    examples: ['troupe roles evolve', 'troupe roles evolve --json'],
    load: () => import('./look.js').then((module) => module.evolve),
  },
  {
    name: 'roles.index', command: 'roles index', group: 'Roles', kind: 'write', graphless: true, summary: 'Update registry.md, the table of core roles',
    examples: ['troupe roles index', 'troupe roles index --json'],
    load: () => import('./index-file.js').then((module) => module.index),
  },
  {
    name: 'roles.learn', command: 'roles learn', group: 'Roles', kind: 'write', graphless: true, summary: 'Add a lesson to the solo lessons of a role',
    arguments: [NAME, { field: 'text', required: true, summary: 'The lesson, in one sentence' }],
    examples: ['troupe roles learn skeptic "Ask for the number behind every claim."', 'troupe roles learn skeptic "Read the test first." --json'],
    load: () => import('./learn.js').then((module) => module.learn),
  },
  {
    name: 'roles.retire', command: 'roles retire', group: 'Roles', kind: 'write', graphless: true, summary: 'Retire a row of a lane: kept, but never seated',
    arguments: [NAME], options: [LANE],
    examples: ['troupe roles retire qa --lane crew', 'troupe roles retire qa --lane crew --json'],
    load: () => import('./row-moves.js').then((module) => module.retire),
  },
  {
    name: 'roles.revive', command: 'roles revive', group: 'Roles', kind: 'write', graphless: true, summary: 'Revive a retired row, with its counts at zero',
    arguments: [NAME], options: [LANE],
    examples: ['troupe roles revive qa --lane crew', 'troupe roles revive qa --lane crew --json'],
    load: () => import('./row-moves.js').then((module) => module.revive),
  },
]);
