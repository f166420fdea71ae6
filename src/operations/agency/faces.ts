import { TRUST_LEVELS } from '#core/agency/entities.js';
import { CONTEXT_SCOPES, EXEC_MODES, PROVIDERS } from '#core/graph/task.js';
import type { ArgumentFace, Face, OptionFace } from '#operations/face.js';

const DESCRIPTION: OptionFace = {
  flag: 'description',
  short: 'd',
  field: 'description',
  type: 'text',
  value: 'TEXT',
  summary: 'In a sentence',
};
const NAME: OptionFace = { flag: 'name', field: 'name', type: 'text', value: 'NAME', summary: 'Another name' };
const RETIRED: OptionFace = { flag: 'retired', field: 'retired', type: 'switch', summary: 'Those that are out of use' };
const id = (kind: string): ArgumentFace => ({
  field: 'id',
  summary: `The ${kind}: its id, the beginning of it, or its name`,
  required: true,
});
const named = (what: string): ArgumentFace => ({ field: 'name', summary: `What ${what} is called`, required: true });

// biome-ignore format: one row an option reads best
const ROLE_OPTIONS: readonly OptionFace[] = [
  DESCRIPTION,
  { flag: 'outcome', field: 'outcome', type: 'text', value: 'TEXT', summary: 'What good work looks like' },
  { flag: 'skill', field: 'skills', type: 'each', value: 'S', summary: 'A word, or file:PATH, url:ADDRESS, inline:TEXT' },
  { flag: 'scope', field: 'scope', type: 'text', value: 'SCOPE', values: CONTEXT_SCOPES, summary: 'How much its attempts are told' },
  { flag: 'exec-mode', field: 'exec_mode', type: 'text', value: 'MODE', values: EXEC_MODES, summary: 'What its attempts may do' },
];
// biome-ignore format: one row an option reads best
const TRADEOFF_OPTIONS: readonly OptionFace[] = [
  DESCRIPTION,
  { flag: 'accept', field: 'accept', type: 'each', value: 'T', summary: 'Something that may be given up' },
  { flag: 'reject', field: 'reject', type: 'each', value: 'T', summary: 'Something that may not' },
];
// biome-ignore format: one row an option reads best
const AGENT_OPTIONS: readonly OptionFace[] = [
  { flag: 'capabilities', field: 'capabilities', type: 'list', value: 'WORD', summary: 'What tasks it is a match for' },
  { flag: 'rate', field: 'rate', type: 'number', value: 'N', summary: 'What an hour costs' },
  { flag: 'capacity', field: 'capacity', type: 'number', value: 'N', summary: 'Tasks at once (default: 1)' },
  { flag: 'trust-level', field: 'trust_level', type: 'text', value: 'LEVEL', values: TRUST_LEVELS, summary: 'verified, provisional or unknown' },
  { flag: 'contact', field: 'contact', type: 'text', value: 'TEXT', summary: 'Where a person is reached' },
  { flag: 'executor', field: 'executor', type: 'text', value: 'NAME', summary: 'What runs it, or email or matrix for a person (default: claude)' },
  { flag: 'model', field: 'model', type: 'text', value: 'MODEL', summary: 'The model it prefers' },
  { flag: 'provider', field: 'provider', type: 'text', value: 'NAME', values: PROVIDERS, summary: 'Who offers that model' },
];

// biome-ignore format: one row an operation reads best
const ROLE_FACES: readonly Face[] = [
  {
    name: 'role.add', command: 'role add', group: 'Team', kind: 'write', forRuns: 'any', graphless: true, summary: 'Say what somebody does',
    arguments: [named('it')], options: ROLE_OPTIONS,
    examples: ['troupe role add Tester -d "Finds what breaks." --outcome "Every fault has a way to see it." --skill testing', 'troupe role add Editor -d "Shortens texts." --outcome "Half the words." --skill "inline:Cut adjectives."'],
    load: () => import('./add.js').then((module) => module.roleAdd as never),
  },
  {
    name: 'role.edit', command: 'role edit', group: 'Team', kind: 'write', graphless: true, summary: 'Change a role; another description makes a successor',
    arguments: [id('role')], options: [NAME, ...ROLE_OPTIONS],
    examples: ['troupe role edit Tester --name Breaker', 'troupe role edit Tester --scope graph'],
    load: () => import('./edit.js').then((module) => module.roleEdit as never),
  },
  {
    name: 'tradeoff.add', command: 'tradeoff add', group: 'Team', kind: 'write', forRuns: 'any', graphless: true, summary: 'Say how somebody weighs things',
    arguments: [named('it')], options: TRADEOFF_OPTIONS,
    examples: ['troupe tradeoff add Frugal -d "Prefers little." --accept "Takes longer" --reject "Wastes"', 'troupe tradeoff add Bold -d "Tries new ways." --accept "Fails at times"'],
    load: () => import('./add.js').then((module) => module.tradeoffAdd as never),
  },
  {
    name: 'tradeoff.edit', command: 'tradeoff edit', group: 'Team', kind: 'write', graphless: true, summary: 'Change a trade-off; another description makes a successor',
    arguments: [id('trade-off')], options: [NAME, ...TRADEOFF_OPTIONS],
    examples: ['troupe tradeoff edit Frugal --name Thrifty', 'troupe tradeoff edit Frugal --reject "Wastes paper"'],
    load: () => import('./edit.js').then((module) => module.tradeoffEdit as never),
  },
  {
    name: 'identity.create', command: 'agent create', group: 'Team', kind: 'write', graphless: true, summary: 'Make an agent of a role and a trade-off, or name a person',
    arguments: [named('it')],
    options: [
      { flag: 'role', field: 'role', type: 'text', value: 'R', summary: 'What it does' },
      { flag: 'tradeoff', aliases: ['motivation'], field: 'tradeoff', type: 'text', value: 'T', summary: 'How it weighs things' },
      ...AGENT_OPTIONS,
    ],
    examples: ['troupe agent create "Careful Programmer" --role Programmer --tradeoff Careful --capabilities rust,testing', 'troupe agent create Ann --executor email --contact ann@example.org'],
    load: () => import('./add.js').then((module) => module.agentCreate as never),
  },
  {
    name: 'identity.edit', command: 'agent edit', group: 'Team', kind: 'write', graphless: true, summary: 'Change what may change of an agent',
    arguments: [id('agent')], options: [NAME, ...AGENT_OPTIONS],
    examples: ['troupe agent edit Ann --trust-level verified', 'troupe agent edit Ann --capacity 3'],
    load: () => import('./edit.js').then((module) => module.agentEdit as never),
  },
  {
    name: 'identity.performance', command: 'agent performance', group: 'Learn', kind: 'read', graphless: true, summary: 'What an agent was scored with',
    arguments: [id('agent')],
    examples: ['troupe agent performance Ann', 'troupe agent performance Ann --json'],
    load: () => import('./look.js').then((module) => module.agentPerformance as never),
  },
  {
    name: 'agency.match', command: 'match', group: 'Team', kind: 'read', summary: 'Who could take a task, best first',
    arguments: [{ field: 'id', summary: 'The task', required: true }],
    examples: ['troupe match write-the-parser', 'troupe match write-the-parser --json'],
    load: () => import('./match.js').then((module) => module.match as never),
  },
  {
    name: 'agency.assign', command: 'assign', group: 'Team', kind: 'write', forRuns: 'any', summary: 'Say who a task is for',
    asks: { purpose: 'assigner', when: 'auto' },
    arguments: [{ field: 'id', summary: 'The task', required: true }, { field: 'agent', summary: 'The agent: its id, the beginning of it, or its name' }],
    options: [
      { flag: 'auto', field: 'auto', type: 'switch', summary: 'One of the best matches: a model chooses where there is one, else the best of them' },
      { flag: 'clear', field: 'clear', type: 'switch', summary: 'Nobody' },
    ],
    examples: ['troupe assign write-the-parser "Careful Programmer"', 'troupe assign write-the-parser --auto'],
    load: () => import('./assign.js').then((module) => module.assign as never),
  },
  {
    name: 'agency.init', command: 'agency init', group: 'Team', kind: 'write', graphless: true, summary: 'Roles and trade-offs to begin with',
    options: [{ flag: 'all-pairs', field: 'all_pairs', type: 'switch', summary: 'Also an agent of each role with each trade-off' }],
    examples: ['troupe agency init', 'troupe agency init --all-pairs'],
    load: () => import('./init.js').then((module) => module.agencyInit as never),
  },
];

type Loads = Readonly<Record<'list' | 'show' | 'rm' | 'restore' | 'lineage', Face['load']>>;

/** What is the same for roles, trade-offs and agents. */
// biome-ignore format: one row an operation reads best
function common(name: string, command: string, noun: string, sample: string, load: Loads): readonly Face[] {
  const both = { group: 'Team', graphless: true } as const;
  return [
    { ...both, name: `${name}.list`, command: `${command} list`, kind: 'read', summary: `List the ${noun}s`, options: [RETIRED], examples: [`troupe ${command} list`, `troupe ${command} list --retired`], load: load.list },
    { ...both, name: `${name}.show`, command: `${command} show`, kind: 'read', summary: `Show one of the ${noun}s`, arguments: [id(noun)], examples: [`troupe ${command} show ${sample}`, `troupe ${command} show ${sample} --json`], load: load.show },
    { ...both, name: `${name}.remove`, command: `${command} rm`, kind: 'write', summary: `Take one of the ${noun}s out of use`, arguments: [id(noun)], examples: [`troupe ${command} rm ${sample}`, `troupe ${command} rm 1caa4c3c`], load: load.rm },
    { ...both, name: `${name}.restore`, command: `${command} restore`, kind: 'write', summary: 'Take it into use again', arguments: [id(noun)], examples: [`troupe ${command} restore ${sample}`, `troupe ${command} restore 1caa4c3c`], load: load.restore },
    { ...both, name: `${name}.lineage`, command: `${command} lineage`, kind: 'read', summary: 'What it comes from', arguments: [id(noun)], examples: [`troupe ${command} lineage ${sample}`, `troupe ${command} lineage ${sample} --json`], load: load.lineage },
  ];
}

/** Who does the work, as seen from outside. */
// biome-ignore format: one row an operation reads best
export const AGENCY_FACES: readonly Face[] = [
  ...ROLE_FACES,
  ...common('role', 'role', 'role', 'Programmer', {
    list: () => import('./look.js').then((module) => module.roleList as never),
    show: () => import('./look.js').then((module) => module.roleShow as never),
    lineage: () => import('./look.js').then((module) => module.roleLineage as never),
    rm: () => import('./edit.js').then((module) => module.roleRemove as never),
    restore: () => import('./edit.js').then((module) => module.roleRestore as never),
  }),
  ...common('tradeoff', 'tradeoff', 'trade-off', 'Careful', {
    list: () => import('./look.js').then((module) => module.tradeoffList as never),
    show: () => import('./look.js').then((module) => module.tradeoffShow as never),
    lineage: () => import('./look.js').then((module) => module.tradeoffLineage as never),
    rm: () => import('./edit.js').then((module) => module.tradeoffRemove as never),
    restore: () => import('./edit.js').then((module) => module.tradeoffRestore as never),
  }),
  ...common('identity', 'agent', 'agent', 'Ann', {
    list: () => import('./look.js').then((module) => module.agentList as never),
    show: () => import('./look.js').then((module) => module.agentShow as never),
    lineage: () => import('./look.js').then((module) => module.agentLineage as never),
    rm: () => import('./edit.js').then((module) => module.agentRemove as never),
    restore: () => import('./edit.js').then((module) => module.agentRestore as never),
  }),
];
