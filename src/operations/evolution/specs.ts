import { EVOLVE_TEST } from '#core/evolution/progress.js';
import { STRATEGIES } from '#core/evolution/strategy.js';
import { type ArgumentSpec, type OptionSpec, operationSpecs } from '#operations/operation-spec.js';

const BUDGET = {
  flag: 'budget',
  field: 'budget',
  type: 'number',
  value: 'N',
  summary: 'Apply at most N (default: all valid ones)',
} as const satisfies OptionSpec;
const WAITING = {
  field: 'id',
  required: true,
  summary: 'The proposal: id or id prefix',
} as const satisfies ArgumentSpec;

/** Specs of operations that change roles and trade-offs by evolution. */
// biome-ignore format: one row an operation reads best
export const EVOLUTION_SPECS = operationSpecs([
  {
    name: 'evolve.run', command: 'evolve run', shorter: 'evolve', group: 'Evolution', kind: 'write', graphless: true, summary: 'Have a model propose role and trade-off changes, and apply the valid ones',
    tells: EVOLVE_TEST, asks: { purpose: 'evolver', unless: [['dry_run', true]], without: '--dry-run' },
    options: [
      { flag: 'strategy', field: 'strategy', type: 'text', value: 'S', values: [...STRATEGIES, 'motivation-tuning'], summary: 'The strategy (default: all)' },
      BUDGET,
      { flag: 'model', field: 'model', type: 'text', value: 'MODEL', summary: 'The model that proposes' },
      { flag: 'replay', field: 'replay', type: 'number', value: 'N', summary: 'First test each change on N finished tasks; adopt it if it is no worse' },
      { flag: 'dry-run', field: 'dry_run', type: 'switch', summary: 'Print the question; ask no model, change nothing' },
    ],
    examples: ['troupe evolve --dry-run', 'troupe evolve run --strategy mutation --budget 2'],
    load: () => import('./run.js').then((module) => module.evolveRun),
  },
  {
    name: 'evolve.apply', command: 'evolve apply', group: 'Evolution', kind: 'write', graphless: true, summary: 'Apply role and trade-off changes from a file, without a model',
    arguments: [{ field: 'file', summary: 'A JSON or YAML file with a list of operations', required: true, path: 'always' }],
    options: [BUDGET],
    examples: ['troupe evolve apply operations.json', 'troupe evolve apply operations.json --budget 2 --json'],
    load: () => import('./apply.js').then((module) => module.evolveApply),
  },
  {
    name: 'evolve.review.list', command: 'evolve review list', group: 'Evolution', kind: 'read', graphless: true, summary: 'List the changes that wait for your decision',
    options: [{ flag: 'all', field: 'all', type: 'switch', summary: 'Include decided ones' }],
    examples: ['troupe evolve review list', 'troupe evolve review list --all --json'],
    load: () => import('./review.js').then((module) => module.evolveReviewList),
  },
  {
    name: 'evolve.review.show', command: 'evolve review show', group: 'Evolution', kind: 'read', graphless: true, summary: 'Show a change of a run, adopted or not, and its test results',
    arguments: [WAITING],
    examples: ['troupe evolve review show run-20260301-100000-op1', 'troupe evolve review show run-20260301-100000-op1 --json'],
    load: () => import('./review.js').then((module) => module.evolveReviewShow),
  },
  {
    name: 'evolve.review.approve', command: 'evolve review approve', group: 'Evolution', kind: 'write', graphless: true, summary: 'Apply a proposed change, with all checks',
    arguments: [WAITING],
    examples: ['troupe evolve review approve run-20260301-100000-op1', 'troupe evolve review approve run-20260301-100000-op1 --json'],
    load: () => import('./review.js').then((module) => module.evolveReviewApprove),
  },
  {
    name: 'evolve.review.reject', command: 'evolve review reject', group: 'Evolution', kind: 'write', graphless: true, summary: 'Reject a proposed change; what it created is retired',
    arguments: [WAITING],
    examples: ['troupe evolve review reject run-20260301-100000-op1', 'troupe evolve review reject run-20260301-100000-op1 --json'],
    load: () => import('./review.js').then((module) => module.evolveReviewReject),
  },
  {
    name: 'evolve.runs', command: 'evolve runs', group: 'Evolution', kind: 'read', graphless: true, summary: 'Show past evolution runs and their outcome',
    arguments: [{ field: 'run', summary: 'One run in full (default: all runs)' }],
    examples: ['troupe evolve runs', 'troupe evolve runs run-20260301-100000 --json'],
    load: () => import('./runs.js').then((module) => module.evolveRuns),
  },
  {
    name: 'evolve.rollback', command: 'evolve rollback', group: 'Evolution', kind: 'write', graphless: true, summary: 'Roll back a run: retire what it created, restore what it retired',
    arguments: [{ field: 'run', summary: 'The run: id or id prefix', required: true }],
    examples: ['troupe evolve rollback run-20260301-100000', 'troupe evolve rollback run-20260301-100000 --json'],
    load: () => import('./runs.js').then((module) => module.evolveRollback),
  },
]);
