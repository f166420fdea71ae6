import { IDENTITY_SECTIONS } from '#core/lanes/identity.js';
import { type ArgumentSpec, operationSpecs } from '#operations/operation-spec.js';

const PROPOSAL = {
  field: 'id',
  required: true,
  summary: 'The proposal: its id, or the beginning of it',
} as const satisfies ArgumentSpec;

/** What roles have learned and who they are: runs may propose, a person decides. */
// biome-ignore format: one row an operation reads best
export const ROLE_LEARNING_SPECS = operationSpecs([
  {
    name: 'roles.as', command: 'roles as', group: 'Roles', kind: 'write', summary: 'Have one role alone look at something: one task, one pass',
    arguments: [
      { field: 'name', required: true, summary: 'A role of the repository, or one that is shipped' },
      { field: 'target', required: true, many: true, summary: 'What it is to do, in words' },
    ],
    examples: ['troupe roles as debugger "the login test that fails now and then"', 'troupe roles as skeptic the plan in docs/plan.md --json'],
    load: () => import('./solo-run.js').then((module) => module.rolesAs),
  },
  {
    name: 'roles.candidates', command: 'roles candidates', group: 'Roles', kind: 'read', graphless: true, summary: 'Lessons that could hold everywhere, and roles that several lanes have',
    arguments: [{ field: 'id', summary: 'One of them, with the difference that graduating it makes; default: all' }],
    examples: ['troupe roles candidates', 'troupe roles candidates c1', 'troupe roles candidates --json'],
    load: () => import('./graduate.js').then((module) => module.rolesCandidates),
  },
  {
    name: 'roles.graduate', command: 'roles graduate', group: 'Roles', kind: 'write', forRuns: 'any', summary: 'Make a lesson one of the core role and strike it in its lanes; shows the difference first',
    arguments: [{ field: 'id', required: true, summary: 'Which, as `troupe roles candidates` names it' }],
    options: [{ flag: 'seen', field: 'seen', type: 'text', value: 'HASH', summary: 'Agree to the difference that was shown under this hash' }],
    examples: ['troupe roles graduate c1', 'troupe roles graduate c1 --seen 4f0c21d9a7b3e865 --json'],
    load: () => import('./graduate.js').then((module) => module.rolesGraduate),
  },
  {
    name: 'roles.propose', command: 'roles propose', group: 'Roles', kind: 'write', forRuns: 'any', summary: 'Propose another charter, occasion or body of a role; a person accepts it',
    arguments: [{ field: 'role', required: true, summary: 'The role' }, { field: 'text', required: true, summary: 'The new text of the section' }],
    options: [
      { flag: 'section', field: 'section', type: 'text', value: 'S', values: IDENTITY_SECTIONS, summary: 'Which section' },
      { flag: 'why', field: 'why', type: 'text', value: 'TEXT', summary: 'What speaks for it' },
    ],
    examples: [
      'troupe roles propose qa "Checks every criterion with evidence." --section charter --why "verdicts without evidence came back"',
      'troupe roles propose qa "before a release" --section when-to-use',
    ],
    load: () => import('./proposals.js').then((module) => module.rolesPropose),
  },
  {
    name: 'roles.proposals', command: 'roles proposals', group: 'Roles', kind: 'read', graphless: true, summary: 'Proposed changes of roles that wait for you',
    examples: ['troupe roles proposals', 'troupe roles proposals --json'],
    load: () => import('./proposals.js').then((module) => module.rolesProposals),
  },
  {
    name: 'roles.accept', command: 'roles accept', group: 'Roles', kind: 'write', forRuns: 'any', summary: 'Apply a proposed change of a role; shows the difference first',
    arguments: [PROPOSAL],
    options: [{ flag: 'yes', short: 'y', field: 'yes', type: 'switch', summary: 'Do not ask' }],
    examples: ['troupe roles accept qa-charter-4f0c21d9', 'troupe roles accept qa-charter-4f0c21d9 -y'],
    load: () => import('./proposals.js').then((module) => module.rolesAccept),
  },
  {
    name: 'roles.reject', command: 'roles reject', group: 'Roles', kind: 'write', forRuns: 'any', summary: 'Leave a proposed change of a role aside',
    arguments: [PROPOSAL],
    examples: ['troupe roles reject qa-charter-4f0c21d9', 'troupe roles reject qa-charter-4f0c21d9 --json'],
    load: () => import('./proposals.js').then((module) => module.rolesReject),
  },
]);

/** What `troupe hook session-start` asks. Not in the table: a client starts it. */
export const SESSION_START = operationSpecs({
  name: 'roles.session-start',
  command: 'hook session-start',
  group: 'Roles',
  kind: 'read',
  where: 'caller',
  graphless: true,
  summary: 'Name what roles might graduate',
  examples: [],
  load: () => import('./session-start.js').then((module) => module.sessionStart),
});
