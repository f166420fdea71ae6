import { MODEL_PROVIDERS } from '#core/settings/schema.js';
import { type OptionSpec, operationSpecs } from '#operations/operation-spec.js';

export const SIZE = {
  flag: 'size',
  field: 'size',
  type: 'number',
  value: 'N',
  summary: 'How many members, 1 to 20',
} as const satisfies OptionSpec;
export const CLIENT_FILES_OPTION = {
  flag: 'clients',
  field: 'clients',
  type: 'switch',
  summary: 'Also write client files: AGENTS.md, .claude/agents, .github/agents',
} as const satisfies OptionSpec;
const WISHES = [
  { flag: 'universe', field: 'universe', type: 'text', value: 'NAME', summary: 'The universe of names' },
  {
    flag: 'seed',
    field: 'seed',
    type: 'text',
    value: 'TEXT',
    summary: 'Seed that selects the universe; default: the project name',
  },
  { flag: 'intent', field: 'intent', type: 'text', value: 'INTENT', summary: 'The intent: new, augment or recast' },
] as const satisfies readonly OptionSpec[];

export const MODEL = [
  { flag: 'offline', field: 'offline', type: 'switch', summary: 'Do not ask a model; choose by words and rules' },
  {
    flag: 'provider',
    field: 'provider',
    type: 'text',
    value: 'NAME',
    values: MODEL_PROVIDERS,
    summary: 'The provider of the model that chooses',
  },
  { flag: 'model', field: 'model', type: 'text', value: 'NAME', summary: 'The model that chooses' },
] as const satisfies readonly OptionSpec[];

// biome-ignore format: one row an operation reads best
export const CASTING_SPECS = operationSpecs([
  {
    name: 'casting.analyze', command: 'cast analyze', group: 'Casting', kind: 'write', where: 'caller',
    asks: { purpose: 'casting', unless: [['offline', true]], without: '--offline' },
    summary: 'Analyze this project and propose a team for it',
    options: [
      SIZE, ...WISHES, ...MODEL,
      { flag: 'require', field: 'required', type: 'list', value: 'ID', summary: 'An archetype that must be on the team' },
    ],
    examples: ['troupe cast analyze', 'troupe cast analyze --size 4 --universe Dune'],
    load: () => import('./proposals.js').then((module) => module.analyze),
  },
  {
    name: 'casting.goal', command: 'cast goal', group: 'Casting', kind: 'write', where: 'caller',
    asks: { purpose: 'casting', unless: [['offline', true]], without: '--offline' },
    summary: 'Propose a team for a goal',
    arguments: [{ field: 'goal', summary: 'What the team is for', required: true }],
    options: [SIZE, ...WISHES, ...MODEL],
    examples: ['troupe cast goal "document our public HTTP interface"', 'troupe cast goal "launch a podcast" --size 3'],
    load: () => import('./proposals.js').then((module) => module.goal),
  },
  {
    name: 'casting.scenario', command: 'cast scenario', group: 'Casting', kind: 'write', where: 'caller',
    summary: 'Propose a ready-made group',
    arguments: [{ field: 'scenario', summary: 'A group from `cast scenarios`', required: true }],
    options: WISHES,
    examples: ['troupe cast scenario quick-software-development', 'troupe cast scenario data-insight --universe Firefly'],
    load: () => import('./proposals.js').then((module) => module.scenario),
  },
  {
    name: 'casting.scenarios', command: 'cast scenarios', group: 'Casting', kind: 'read', where: 'caller',
    summary: 'List the ready-made groups',
    examples: ['troupe cast scenarios', 'troupe cast scenarios --json'],
    load: () => import('./proposals.js').then((module) => module.scenarios),
  },
  {
    name: 'casting.manual', command: 'cast manual', group: 'Casting', kind: 'write', where: 'caller',
    summary: 'Propose exactly the archetypes you name',
    arguments: [{ field: 'archetypes', summary: 'Ids from `cast archetypes`', required: true, many: true }],
    options: WISHES,
    examples: ['troupe cast manual writer editor', 'troupe cast manual qa-engineer --intent augment'],
    load: () => import('./proposals.js').then((module) => module.manual),
  },
  {
    name: 'casting.show', command: 'cast show', group: 'Casting', kind: 'read', where: 'caller',
    summary: 'Show the pending proposal',
    examples: ['troupe cast show', 'troupe cast show --json'],
    load: () => import('./proposals.js').then((module) => module.show),
  },
  {
    name: 'casting.amend', command: 'cast amend', group: 'Casting', kind: 'write', where: 'caller',
    summary: 'Change the members, names or universe of the proposal',
    options: [
      { flag: 'add', field: 'add', type: 'list', value: 'ID', summary: 'An archetype to add' },
      { flag: 'drop', field: 'drop', type: 'list', value: 'NAME', summary: 'A member to remove' },
      { flag: 'name', field: 'name', type: 'list', value: 'OLD=NEW', summary: 'Another name: a free one of the universe, or that of a member' },
      { flag: 'universe', field: 'universe', type: 'text', value: 'NAME', summary: 'Another universe, for all names' },
      { flag: 'revision', field: 'revision', type: 'number', value: 'N', summary: 'Only if the proposal is still at this revision' },
    ],
    examples: ['troupe cast amend --add qa-engineer --drop Neo', 'troupe cast amend --name Trinity=Morpheus --universe "The Matrix"'],
    load: () => import('./proposals.js').then((module) => module.amend),
  },
  {
    name: 'casting.confirm', command: 'cast confirm', group: 'Casting', kind: 'write', graphless: true, writesOutside: true,
    summary: 'Make the proposal your team; this writes .squad/',
    options: [
      { flag: 'intent', field: 'intent', type: 'text', value: 'INTENT', summary: 'Required if there is a team: new, augment or recast' },
      { flag: 'leader', field: 'leader', type: 'text', value: 'NAME', summary: 'The leader (default: the first eligible member)' },
      CLIENT_FILES_OPTION,
    ],
    examples: ['troupe cast confirm', 'troupe cast confirm --intent augment --clients'],
    load: () => import('./confirm.js').then((module) => module.confirm),
  },
  {
    name: 'casting.reject', command: 'cast reject', group: 'Casting', kind: 'write', where: 'caller',
    summary: 'Discard the proposal',
    examples: ['troupe cast reject', 'troupe cast reject --json'],
    load: () => import('./proposals.js').then((module) => module.reject),
  },
  {
    name: 'casting.universes', command: 'cast universes', group: 'Casting', kind: 'write', forRuns: 'any', where: 'caller',
    summary: 'List the universes; add your own',
    options: [
      { flag: 'add', field: 'add', type: 'text', value: 'FILE', path: 'always', summary: 'A YAML file with name and names, to add as a universe' },
    ],
    examples: ['troupe cast universes', 'troupe cast universes --add our-names.yaml'],
    load: () => import('./sources.js').then((module) => module.universes),
  },
  {
    name: 'casting.archetypes', command: 'cast archetypes', group: 'Casting', kind: 'read', where: 'caller',
    summary: 'List the archetypes you can cast',
    examples: ['troupe cast archetypes', 'troupe cast archetypes --json'],
    load: () => import('./sources.js').then((module) => module.archetypes),
  },
  {
    name: 'team.ensure', command: 'cast for', group: 'Casting', kind: 'write', graphless: true, writesOutside: true,
    summary: 'Cast the team that a workflow needs, if there is none',
    arguments: [{ field: 'workflow', summary: 'The workflow: repository-review', names: 'workflow', required: true }],
    examples: ['troupe cast for repository-review', 'troupe cast for repository-review --json'],
    load: () => import('./confirm.js').then((module) => module.ensureTeam),
  },
]);
