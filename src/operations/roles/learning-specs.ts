import { IDENTITY_SECTIONS } from '#core/roles/identity.js';
import { type ArgumentSpec, operationSpecs } from '#operations/operation-spec.js';

const PROPOSAL = {
  field: 'id',
  required: true,
  summary: 'The proposal: id or id prefix',
} as const satisfies ArgumentSpec;

/** Specs for lessons and identity of roles: runs may propose, a person decides. */
// biome-ignore format: one row an operation reads best
export const ROLE_LEARNING_SPECS = operationSpecs([
  {
    name: 'roles.as', command: 'roles as', group: 'Roles', kind: 'write', summary: 'Have a single role review a target: one task, one run',
    arguments: [
      { field: 'name', required: true, summary: 'A role of the repository, or a shipped one' },
      { field: 'target', required: true, many: true, summary: 'The target or job, in words' },
    ],
    examples: ['troupe roles as debugger "the login test that fails now and then"', 'troupe roles as skeptic the plan in docs/plan.md --json'],
    load: () => import('./solo-run.js').then((module) => module.rolesAs),
  },
  {
    name: 'roles.candidates', command: 'roles candidates', group: 'Roles', kind: 'read', graphless: true, summary: 'List lessons that may hold everywhere, and roles of several lanes',
    arguments: [{ field: 'id', summary: 'One candidate, with the changes of graduating it; default: all' }],
    examples: ['troupe roles candidates', 'troupe roles candidates c1', 'troupe roles candidates --json'],
    load: () => import('./graduate.js').then((module) => module.rolesCandidates),
  },
  {
    name: 'roles.graduate', command: 'roles graduate', group: 'Roles', kind: 'write', forRuns: 'any', summary: 'Graduate a lesson to the core role and remove it from its lanes',
    arguments: [{ field: 'id', required: true, summary: 'The id from `troupe roles candidates`' }],
    options: [{ flag: 'seen', field: 'seen', type: 'text', value: 'HASH', summary: 'Approve the difference with this hash' }],
    examples: ['troupe roles graduate c1', 'troupe roles graduate c1 --seen 4f0c21d9a7b3e865 --json'],
    load: () => import('./graduate.js').then((module) => module.rolesGraduate),
  },
  {
    name: 'roles.propose', command: 'roles propose', group: 'Roles', kind: 'write', forRuns: 'any', summary: 'Propose a new charter, occasion or body for a role',
    arguments: [{ field: 'role', required: true, summary: 'The role' }, { field: 'text', required: true, summary: 'The new text of the section' }],
    options: [
      { flag: 'section', field: 'section', type: 'text', value: 'S', values: IDENTITY_SECTIONS, summary: 'The section to change' },
      { flag: 'why', field: 'why', type: 'text', value: 'TEXT', summary: 'The reason for the change' },
    ],
    examples: [
      'troupe roles propose qa "Checks every criterion with evidence." --section charter --why "verdicts without evidence came back"',
      'troupe roles propose qa "before a release" --section when-to-use',
    ],
    load: () => import('./proposals.js').then((module) => module.rolesPropose),
  },
  {
    name: 'roles.proposals', command: 'roles proposals', group: 'Roles', kind: 'read', graphless: true, summary: 'List the proposed role changes that wait for you',
    examples: ['troupe roles proposals', 'troupe roles proposals --json'],
    load: () => import('./proposals.js').then((module) => module.rolesProposals),
  },
  {
    name: 'roles.accept', command: 'roles accept', group: 'Roles', kind: 'write', forRuns: 'any', summary: 'Apply a proposed role change; shows the difference first',
    arguments: [PROPOSAL],
    options: [{ flag: 'yes', short: 'y', field: 'yes', type: 'switch', summary: 'Do not ask' }],
    examples: ['troupe roles accept qa-charter-4f0c21d9', 'troupe roles accept qa-charter-4f0c21d9 -y'],
    load: () => import('./proposals.js').then((module) => module.rolesAccept),
  },
  {
    name: 'roles.reject', command: 'roles reject', group: 'Roles', kind: 'write', forRuns: 'any', summary: 'Reject a proposed role change',
    arguments: [PROPOSAL],
    examples: ['troupe roles reject qa-charter-4f0c21d9', 'troupe roles reject qa-charter-4f0c21d9 --json'],
    load: () => import('./proposals.js').then((module) => module.rolesReject),
  },
]);

/** Operation behind `troupe hook session-start`. Not listed: clients call it. */
export const SESSION_START = operationSpecs({
  name: 'roles.session-start',
  command: 'hook session-start',
  group: 'Roles',
  kind: 'read',
  where: 'caller',
  graphless: true,
  summary: 'List graduation candidates',
  examples: [],
  load: () => import('./session-start.js').then((module) => module.sessionStart),
});
