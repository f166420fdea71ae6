import { type OptionSpec, operationSpecs } from '#operations/operation-spec.js';

const HOME = {
  flag: 'home',
  field: 'home',
  type: 'text',
  value: 'DIR',
  path: 'always',
  summary: 'The .teaparty folder (default: the nearest above)',
} as const satisfies OptionSpec;
const IDS = {
  flag: 'ids',
  field: 'ids',
  type: 'switch',
  summary: 'Show ids instead of descriptions',
} as const satisfies OptionSpec;
const AGENTS = {
  flag: 'agents',
  field: 'agents',
  type: 'switch',
  summary: 'Print the input of `claude --agents`',
} as const satisfies OptionSpec;
const FULL = {
  flag: 'full',
  field: 'full',
  type: 'switch',
  summary: 'Show id, position and mark of each',
} as const satisfies OptionSpec;

// biome-ignore format: one row an operation reads best
export const ROSTER_SPECS = operationSpecs([
  {
    name: 'roster.office', command: 'roster office', group: 'Messages', kind: 'read', where: 'caller', graphless: true,
    summary: 'Show whom the office manager may write to: project leads and office agents',
    options: [HOME, IDS, AGENTS, FULL],
    examples: ['troupe roster office', 'troupe roster office --ids'],
    load: () => import('./rosters.js').then((module) => module.office),
  },
  {
    name: 'roster.project', command: 'roster project', group: 'Messages', kind: 'read', where: 'caller', graphless: true,
    summary: 'Show whom a project lead may write to: the leads of its workgroups',
    arguments: [{ field: 'project', summary: 'The folder of the project', required: true, path: 'always' }],
    options: [HOME, IDS, AGENTS, FULL],
    examples: ['troupe roster project .', 'troupe roster project . --agents'],
    load: () => import('./rosters.js').then((module) => module.project),
  },
  {
    name: 'roster.workgroup', command: 'roster workgroup', group: 'Messages', kind: 'read', where: 'caller', graphless: true,
    summary: 'Show whom a workgroup lead may write to: its agents',
    arguments: [{ field: 'file', summary: 'The file of the workgroup', required: true, path: 'always' }],
    options: [
      { flag: 'project', field: 'project', type: 'text', value: 'NAME', summary: 'The project it belongs to (default: the office)' },
      HOME, IDS, AGENTS, FULL,
    ],
    examples: ['troupe roster workgroup coding.yaml --project TeaParty', 'troupe roster workgroup coding.yaml --project TeaParty --agents'],
    load: () => import('./rosters.js').then((module) => module.workgroup),
  },
  {
    name: 'roster.team', command: 'roster team', group: 'Messages', kind: 'read', where: 'caller', graphless: true,
    summary: 'Show whom a team member may write to (default: the leader)',
    arguments: [{ field: 'team', summary: 'The team, as in `team list`', required: true }],
    options: [
      { flag: 'for', field: 'member', type: 'text', value: 'MEMBER', names: 'member', summary: 'The member' },
      IDS, AGENTS, FULL,
    ],
    examples: ['troupe roster team shop', 'troupe roster team shop --for Neo --agents'],
    load: () => import('./rosters.js').then((module) => module.team),
  },
  {
    name: 'roster.sub-roster', command: 'roster has-sub-roster', group: 'Messages', kind: 'read', where: 'caller', graphless: true,
    summary: 'Check whether an agent leads anyone and so can write to others',
    arguments: [{ field: 'agent', summary: 'The name of the agent', required: true }],
    options: [HOME],
    examples: ['troupe roster has-sub-roster coding-lead', 'troupe roster has-sub-roster coding-lead --json'],
    load: () => import('./rosters.js').then((module) => module.subRoster),
  },
  {
    name: 'roster.show', command: 'roster show', group: 'Messages', kind: 'read', where: 'caller', graphless: true,
    summary: 'Show the effective roster of an agent, with its people and requestor',
    arguments: [{ field: 'id', summary: 'Its id, as in `roster check`', required: true }],
    options: [
      { flag: 'requestor', field: 'requestor', type: 'text', value: 'ID', summary: 'Who asked for its work' },
      HOME, IDS, AGENTS, FULL,
    ],
    examples: ['troupe roster show teaparty/coding/lead', 'troupe roster show teaparty/coding/lead --requestor teaparty/lead'],
    load: () => import('./rosters.js').then((module) => module.show),
  },
  {
    name: 'roster.check', command: 'roster check', group: 'Messages', kind: 'read', where: 'caller', graphless: true,
    summary: 'Show the roster configuration and all its problems',
    options: [HOME],
    examples: ['troupe roster check', 'troupe roster check --json'],
    load: () => import('./rosters.js').then((module) => module.check),
  },
]);
