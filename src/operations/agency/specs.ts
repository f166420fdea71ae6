import { KINDS, TRUST_LEVELS } from '#core/agency/entities.js';
import { CONTEXT_SCOPES, EXEC_MODES, PROVIDERS } from '#core/graph/task.js';
import { type ArgumentSpec, type OptionSpec, operationSpecs } from '#operations/operation-spec.js';
import { ACTOR } from '#operations/options.js';

const DESCRIPTION = {
  flag: 'description',
  short: 'd',
  field: 'description',
  type: 'text',
  value: 'TEXT',
  summary: 'A one-line description',
} as const satisfies OptionSpec;
const NAME = {
  flag: 'name',
  field: 'name',
  type: 'text',
  value: 'NAME',
  summary: 'A new name',
} as const satisfies OptionSpec;
const RETIRED = {
  flag: 'retired',
  field: 'retired',
  type: 'switch',
  summary: 'List the retired ones',
} as const satisfies OptionSpec;
const id = (kind: string): ArgumentSpec<'id'> => ({
  field: 'id',
  summary: `The ${kind}: id, id prefix or name`,
  required: true,
});
const nameArgument = (what: string): ArgumentSpec<'name'> => ({
  field: 'name',
  summary: `The name of ${what}`,
  required: true,
});

// biome-ignore format: one row an option reads best
const ROLE_OPTIONS = [
  DESCRIPTION,
  { flag: 'outcome', field: 'outcome', type: 'text', value: 'TEXT', summary: 'What a good result looks like' },
  { flag: 'skill', field: 'skills', type: 'each', value: 'S', summary: 'A word, or file:PATH, url:ADDRESS or inline:TEXT' },
  { flag: 'scope', field: 'scope', type: 'text', value: 'SCOPE', values: CONTEXT_SCOPES, summary: 'How much context its attempts get' },
  { flag: 'exec-mode', field: 'exec_mode', type: 'text', value: 'MODE', values: EXEC_MODES, summary: 'What its attempts may do' },
] as const satisfies readonly OptionSpec[];
// biome-ignore format: one row an option reads best
const TRADEOFF_OPTIONS = [
  DESCRIPTION,
  { flag: 'accept', field: 'accept', type: 'each', value: 'T', summary: 'Something it may trade away' },
  { flag: 'reject', field: 'reject', type: 'each', value: 'T', summary: 'Something it may not trade away' },
] as const satisfies readonly OptionSpec[];
// biome-ignore format: one row an option reads best
const AGENT_OPTIONS = [
  { flag: 'capabilities', field: 'capabilities', type: 'list', value: 'WORD', summary: 'Tasks it is a match for' },
  { flag: 'rate', field: 'rate', type: 'number', value: 'N', summary: 'Cost per hour' },
  { flag: 'capacity', field: 'capacity', type: 'number', value: 'N', summary: 'Maximum concurrent tasks (default: 1)' },
  { flag: 'trust-level', field: 'trust_level', type: 'text', value: 'LEVEL', values: TRUST_LEVELS, summary: 'verified, provisional or unknown' },
  { flag: 'contact', field: 'contact', type: 'text', value: 'TEXT', summary: 'Where to reach a person' },
  { flag: 'executor', field: 'executor', type: 'text', value: 'NAME', summary: 'Its executor; email or matrix for a person (default: claude)' },
  { flag: 'model', field: 'model', type: 'text', value: 'MODEL', summary: 'The model it prefers' },
  { flag: 'provider', field: 'provider', type: 'text', value: 'NAME', values: PROVIDERS, summary: 'The provider of that model' },
] as const satisfies readonly OptionSpec[];

// biome-ignore format: one row an operation reads best
const ROLE_SPECS = operationSpecs([
  {
    name: 'role.add', command: 'role add', group: 'Agency', kind: 'write', forRuns: 'any', graphless: true, summary: 'Add a role: what an agent does',
    arguments: [nameArgument('it')], options: ROLE_OPTIONS,
    examples: ['troupe role add Tester -d "Finds what breaks." --outcome "Every fault has a way to see it." --skill testing', 'troupe role add Editor -d "Shortens texts." --outcome "Half the words." --skill "inline:Cut adjectives."'],
    load: () => import('./entities.js').then((module) => module.roleAdd),
  },
  {
    name: 'role.edit', command: 'role edit', group: 'Agency', kind: 'write', graphless: true, summary: 'Change a role; a new description creates a successor',
    arguments: [id('role')], options: [NAME, ...ROLE_OPTIONS],
    examples: ['troupe role edit Tester --name Breaker', 'troupe role edit Tester --scope graph'],
    load: () => import('./entities.js').then((module) => module.roleEdit),
  },
  {
    name: 'tradeoff.add', command: 'tradeoff add', group: 'Agency', kind: 'write', forRuns: 'any', graphless: true, summary: 'Add a trade-off: how an agent weighs things',
    arguments: [nameArgument('it')], options: TRADEOFF_OPTIONS,
    examples: ['troupe tradeoff add Frugal -d "Prefers little." --accept "Takes longer" --reject "Wastes"', 'troupe tradeoff add Bold -d "Tries new ways." --accept "Fails at times"'],
    load: () => import('./entities.js').then((module) => module.tradeoffAdd),
  },
  {
    name: 'tradeoff.edit', command: 'tradeoff edit', group: 'Agency', kind: 'write', graphless: true, summary: 'Change a trade-off; a new description creates a successor',
    arguments: [id('trade-off')], options: [NAME, ...TRADEOFF_OPTIONS],
    examples: ['troupe tradeoff edit Frugal --name Thrifty', 'troupe tradeoff edit Frugal --reject "Wastes paper"'],
    load: () => import('./entities.js').then((module) => module.tradeoffEdit),
  },
  {
    name: 'identity.create', command: 'agent create', group: 'Agency', kind: 'write', graphless: true, summary: 'Create an agent from a role and a trade-off, or add a person',
    arguments: [nameArgument('it')],
    options: [
      { flag: 'role', field: 'role', type: 'text', value: 'R', summary: 'What it does' },
      { flag: 'tradeoff', aliases: ['motivation'], field: 'tradeoff', type: 'text', value: 'T', summary: 'How it weighs things' },
      ...AGENT_OPTIONS,
    ],
    examples: ['troupe agent create "Careful Programmer" --role Programmer --tradeoff Careful --capabilities rust,testing', 'troupe agent create Ann --executor email --contact ann@example.org'],
    load: () => import('./entities.js').then((module) => module.agentCreate),
  },
  {
    name: 'identity.provide', command: 'agent provide', group: 'Agency', kind: 'write', forRuns: 'any', summary: 'Create an agent for an unmatched task from existing roles and trade-offs',
    arguments: [{ field: 'id', summary: 'The task', names: 'task', required: true }],
    examples: ['troupe agent provide write-the-parser', 'troupe agent provide write-the-parser --json'],
    load: () => import('./provide.js').then((module) => module.agentProvide),
  },
  {
    name: 'identity.edit', command: 'agent edit', group: 'Agency', kind: 'write', graphless: true, summary: 'Change the editable fields of an agent',
    arguments: [id('agent')], options: [NAME, ...AGENT_OPTIONS],
    examples: ['troupe agent edit Ann --trust-level verified', 'troupe agent edit Ann --capacity 3'],
    load: () => import('./entities.js').then((module) => module.agentEdit),
  },
  {
    name: 'identity.performance', command: 'agent performance', group: 'Agency', kind: 'read', graphless: true, summary: 'Show the scores of an agent',
    arguments: [id('agent')],
    examples: ['troupe agent performance Ann', 'troupe agent performance Ann --json'],
    load: () => import('./look.js').then((module) => module.agentPerformance),
  },
  {
    name: 'agency.match', command: 'match', group: 'Tasks', kind: 'read', summary: 'Show the agents that match a task, best first',
    arguments: [{ field: 'id', summary: 'The task', names: 'task', required: true }],
    examples: ['troupe match write-the-parser', 'troupe match write-the-parser --json'],
    load: () => import('./look.js').then((module) => module.match),
  },
  {
    name: 'agency.assign', command: 'assign', group: 'Tasks', kind: 'write', forRuns: 'any', summary: 'Assign a task to an agent',
    asks: { purpose: 'assigner', when: 'auto' },
    arguments: [{ field: 'id', summary: 'The task', names: 'task', required: true }, { field: 'agent', summary: 'The agent: id, id prefix or name' }],
    options: [
      { flag: 'auto', field: 'auto', type: 'switch', summary: 'Choose one of the best matches: by a model if there is one, else by rank' },
      { flag: 'clear', field: 'clear', type: 'switch', summary: 'Remove the assignment' },
    ],
    examples: ['troupe assign write-the-parser "Careful Programmer"', 'troupe assign write-the-parser --auto'],
    load: () => import('./assign.js').then((module) => module.assign),
  },
  {
    name: 'agency.init', command: 'agency init', group: 'Agency', kind: 'write', graphless: true, summary: 'Add starter roles and trade-offs',
    options: [{ flag: 'all-pairs', field: 'all_pairs', type: 'switch', summary: 'Also create an agent for each pair of role and trade-off' }],
    examples: ['troupe agency init', 'troupe agency init --all-pairs'],
    load: () => import('./init.js').then((module) => module.agencyInit),
  },
  {
    name: 'agency.stats', command: 'agency stats', group: 'Agency', kind: 'read', graphless: true, summary: 'Summarize all scores: who does well, trends, and untried pairs',
    options: [
      { flag: 'min-evals', field: 'min_evals', type: 'number', value: 'N', summary: 'Pairs with fewer scores are unexplored (default: 3)' },
      { flag: 'by-model', field: 'by_model', type: 'switch', summary: 'Also group by the model of the task or its agent' },
    ],
    examples: ['troupe agency stats', 'troupe agency stats --min-evals 5 --by-model --json'],
    load: () => import('./stats.js').then((module) => module.agencyStats),
  },
]);

const KIND = {
  field: 'kind',
  summary: 'role, tradeoff or agent',
  values: KINDS,
  required: true,
} as const satisfies ArgumentSpec;
const ENTRY = [KIND, id('entry')] as const;

/** Specs of operations that exist for roles, trade-offs and agents alike. */
// biome-ignore format: one row an operation reads best
const ENTRY_SPECS = operationSpecs([
  {
    name: 'agency.list', command: 'agency list', group: 'Agency', kind: 'read', graphless: true, summary: 'List the roles, trade-offs and agents',
    arguments: [{ ...KIND, summary: 'role, tradeoff or agent (default: all)', required: false }], options: [RETIRED],
    examples: ['troupe agency list', 'troupe agency list role --retired'],
    load: () => import('./look.js').then((module) => module.agencyList),
  },
  {
    name: 'agency.show', command: 'agency show', group: 'Agency', kind: 'read', graphless: true, summary: 'Show one role, trade-off or agent',
    arguments: ENTRY,
    examples: ['troupe agency show role Programmer', 'troupe agency show agent Ann --json'],
    load: () => import('./look.js').then((module) => module.agencyShow),
  },
  {
    name: 'agency.lineage', command: 'agency lineage', group: 'Agency', kind: 'read', graphless: true, summary: 'Show the ancestors of a role, trade-off or agent',
    arguments: ENTRY,
    examples: ['troupe agency lineage role Programmer', 'troupe agency lineage tradeoff Careful --json'],
    load: () => import('./look.js').then((module) => module.agencyLineage),
  },
  {
    name: 'agency.remove', command: 'agency rm', group: 'Agency', kind: 'write', graphless: true, summary: 'Retire a role, trade-off or agent',
    arguments: ENTRY,
    examples: ['troupe agency rm tradeoff Careful', 'troupe agency rm role 1caa4c3c'],
    load: () => import('./entities.js').then((module) => module.agencyRemove),
  },
  {
    name: 'agency.restore', command: 'agency restore', group: 'Agency', kind: 'write', graphless: true, summary: 'Restore a retired role, trade-off or agent',
    arguments: ENTRY,
    examples: ['troupe agency restore tradeoff Careful', 'troupe agency restore role 1caa4c3c'],
    load: () => import('./entities.js').then((module) => module.agencyRestore),
  },
  {
    name: 'agency.trust', command: 'agency trust', group: 'Agency', kind: 'write', graphless: true, trusts: true, summary: 'Accept roles, trade-offs or agents that came from another project',
    arguments: [KIND, { field: 'ids', summary: 'Ids, id prefixes or names', many: true }],
    options: [{ flag: 'all', field: 'all', type: 'switch', summary: 'All of this kind that are waiting' }],
    examples: ['troupe agency trust role Tester', 'troupe agency trust agent --all'],
    load: () => import('./entities.js').then((module) => module.agencyTrust),
  },
]);

/** Specs of all operations on roles, trade-offs and agents. */
export const AGENCY_SPECS = [...ROLE_SPECS, ...ENTRY_SPECS];

/** Specs of operations on scores. */
export const EVALUATION_SPECS = operationSpecs([
  {
    name: 'evaluation.record',
    command: 'evaluate record',
    group: 'Review',
    kind: 'write',
    forRuns: 'any',
    summary: 'Record a score for a task from a person or another tool',
    arguments: [{ field: 'id', summary: 'The task; same as --task', names: 'task' }],
    options: [
      { flag: 'task', field: 'id', type: 'text', value: 'ID', summary: 'The task', names: 'task' },
      { flag: 'score', field: 'score', type: 'number', value: 'S', summary: 'From 0 to 1 (required)' },
      {
        flag: 'source',
        field: 'source',
        type: 'text',
        value: 'TAG',
        summary: 'Where it comes from, such as ci:unit (default: you)',
      },
      {
        flag: 'dimension',
        aliases: ['dim'],
        field: 'dimensions',
        type: 'each',
        value: 'NAME=S',
        summary: 'Also record correctness, completeness, efficiency or style_adherence, 0 to 1',
      },
      {
        flag: 'id',
        field: 'evaluation_id',
        type: 'text',
        value: 'ID',
        summary: 'Id of the evaluation; if it exists, it is returned unchanged',
      },
      { flag: 'notes', field: 'notes', type: 'text', value: 'TEXT', summary: 'Why' },
      ACTOR,
    ],
    examples: [
      'troupe evaluate record run-the-tests --score 1 --source ci:unit',
      'troupe evaluate record write-the-parser --score 0.7 --dimension correctness=0.9 --notes "too slow"',
    ],
    load: () => import('./evaluations.js').then((module) => module.evaluationRecord),
  },
  {
    name: 'evaluation.run',
    command: 'evaluate run',
    group: 'Review',
    kind: 'write',
    forRuns: 'any',
    asks: { purpose: 'evaluator', unless: [['dry_run', true]], without: '--dry-run' },
    summary: 'Have a model score a task; without a model nothing changes',
    arguments: [{ field: 'id', summary: 'The task', names: 'task', required: true }],
    options: [
      {
        flag: 'evaluator-model',
        field: 'evaluator_model',
        type: 'text',
        value: 'MODEL',
        summary: 'The model that evaluates',
      },
      { flag: 'dry-run', field: 'dry_run', type: 'switch', summary: 'Print the question, ask no model' },
      { flag: 'flip', field: 'flip', type: 'switch', summary: 'Also compute the flip score' },
    ],
    examples: ['troupe evaluate run run-the-tests', 'troupe evaluate run run-the-tests --dry-run'],
    load: () => import('./model-evaluations.js').then((module) => module.evaluationRun),
  },
  {
    name: 'evaluation.verify',
    command: 'evaluate verify',
    group: 'Review',
    kind: 'write',
    forRuns: 'any',
    asks: { purpose: 'flip_verification', unless: [['dry_run', true]], without: '--dry-run' },
    summary: 'Have a model check work with a low flip score and confirm or fail it',
    arguments: [{ field: 'id', summary: 'The task', names: 'task', required: true }],
    options: [
      { flag: 'model', field: 'model', type: 'text', value: 'MODEL', summary: 'The model that checks it' },
      { flag: 'dry-run', field: 'dry_run', type: 'switch', summary: 'Print the question, ask no model' },
    ],
    examples: ['troupe evaluate verify write-the-parser', 'troupe evaluate verify write-the-parser --dry-run'],
    load: () => import('./model-evaluations.js').then((module) => module.evaluationVerify),
  },
  {
    name: 'evaluation.show',
    command: 'evaluate show',
    group: 'Review',
    kind: 'read',
    summary: 'Show the scores of one or all tasks, newest first',
    arguments: [{ field: 'id', summary: 'A task, or one evaluation (default: all)' }],
    options: [
      { flag: 'task', field: 'task', type: 'text', value: 'ID', names: 'task', summary: 'Only this task' },
      { flag: 'agent', field: 'agent', type: 'text', value: 'AGENT', summary: 'Only tasks assigned to this agent' },
      { flag: 'source', field: 'source', type: 'text', value: 'GLOB', summary: 'Only sources like this, such as ci:*' },
      { flag: 'limit', field: 'limit', type: 'number', value: 'N', summary: 'Maximum number of scores (default: 50)' },
    ],
    examples: ['troupe evaluate show run-the-tests', 'troupe evaluate show --source "ci:*" --limit 10 --json'],
    load: () => import('./evaluations.js').then((module) => module.evaluationShow),
  },
]);
