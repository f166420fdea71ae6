import { STRATEGIES } from '#core/evolution/strategy.js';
import { type ArgumentSpec, type OptionSpec, operationSpecs } from '#operations/operation-spec.js';

const BUDGET = {
  flag: 'budget',
  field: 'budget',
  type: 'number',
  value: 'N',
  summary: 'Apply at most so many (default: all that hold)',
} as const satisfies OptionSpec;
const WAITING = {
  field: 'id',
  required: true,
  summary: 'What waits: its id, or the beginning of it',
} as const satisfies ArgumentSpec;

/** How roles and trade-offs change. */
// biome-ignore format: one row an operation reads best
export const EVOLUTION_SPECS = operationSpecs([
  {
    name: 'evolve.run', command: 'evolve run', group: 'Evolution', kind: 'write', graphless: true, summary: 'Have a model propose how roles and trade-offs change, and apply what holds',
    asks: { purpose: 'evolver', unless: [['dry_run', true]], without: '--dry-run' },
    options: [
      { flag: 'strategy', field: 'strategy', type: 'text', value: 'S', values: [...STRATEGIES, 'motivation-tuning'], summary: 'What to look for (default: all)' },
      BUDGET,
      { flag: 'model', field: 'model', type: 'text', value: 'MODEL', summary: 'Which model proposes' },
      { flag: 'replay', field: 'replay', type: 'number', value: 'N', summary: 'Try each change on so many finished tasks first; it is adopted where that shows nothing worse' },
      { flag: 'dry-run', field: 'dry_run', type: 'switch', summary: 'Print what it would be asked; ask nobody, change nothing' },
    ],
    examples: ['troupe evolve run --dry-run', 'troupe evolve run --strategy mutation --budget 2'],
    load: () => import('./run.js').then((module) => module.evolveRun),
  },
  {
    name: 'evolve.apply', command: 'evolve apply', group: 'Evolution', kind: 'write', graphless: true, summary: 'Apply changes of roles and trade-offs that you wrote down; no model is asked',
    arguments: [{ field: 'file', summary: 'A JSON or YAML file with a list of operations', required: true, path: 'always' }],
    options: [BUDGET],
    examples: ['troupe evolve apply operations.json', 'troupe evolve apply operations.json --budget 2 --json'],
    load: () => import('./apply.js').then((module) => module.evolveApply),
  },
  {
    name: 'evolve.review.list', command: 'evolve review list', group: 'Evolution', kind: 'read', graphless: true, summary: 'Changes of roles and trade-offs that wait for you',
    options: [{ flag: 'all', field: 'all', type: 'switch', summary: 'Also those that somebody has decided about' }],
    examples: ['troupe evolve review list', 'troupe evolve review list --all --json'],
    load: () => import('./review.js').then((module) => module.evolveReviewList),
  },
  {
    name: 'evolve.review.show', command: 'evolve review show', group: 'Evolution', kind: 'read', graphless: true, summary: 'One of them: what it changes, and how it did where it was tried',
    arguments: [WAITING],
    examples: ['troupe evolve review show run-20260301-100000-op1', 'troupe evolve review show run-20260301-100000-op1 --json'],
    load: () => import('./review.js').then((module) => module.evolveReviewShow),
  },
  {
    name: 'evolve.review.approve', command: 'evolve review approve', group: 'Evolution', kind: 'write', graphless: true, summary: 'Apply it, with the checks it would have had before',
    arguments: [WAITING],
    examples: ['troupe evolve review approve run-20260301-100000-op1', 'troupe evolve review approve run-20260301-100000-op1 --json'],
    load: () => import('./review.js').then((module) => module.evolveReviewApprove),
  },
  {
    name: 'evolve.review.reject', command: 'evolve review reject', group: 'Evolution', kind: 'write', graphless: true, summary: 'Leave it aside; what it made is out of use',
    arguments: [WAITING],
    examples: ['troupe evolve review reject run-20260301-100000-op1', 'troupe evolve review reject run-20260301-100000-op1 --json'],
    load: () => import('./review.js').then((module) => module.evolveReviewReject),
  },
  {
    name: 'evolve.runs', command: 'evolve runs', group: 'Evolution', kind: 'read', graphless: true, summary: 'What was proposed so far and what became of it',
    arguments: [{ field: 'run', summary: 'One run, with all it did (default: all runs)' }],
    examples: ['troupe evolve runs', 'troupe evolve runs run-20260301-100000 --json'],
    load: () => import('./runs.js').then((module) => module.evolveRuns),
  },
  {
    name: 'evolve.rollback', command: 'evolve rollback', group: 'Evolution', kind: 'write', graphless: true, summary: 'Take a run back: what it made is out of use, what it retired is in use',
    arguments: [{ field: 'run', summary: 'The run: its id, or the beginning of it', required: true }],
    examples: ['troupe evolve rollback run-20260301-100000', 'troupe evolve rollback run-20260301-100000 --json'],
    load: () => import('./runs.js').then((module) => module.evolveRollback),
  },
]);
