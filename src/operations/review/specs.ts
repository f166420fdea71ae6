import { type OptionSpec, operationSpecs } from '#operations/operation-spec.js';

const REVIEW = {
  flag: 'review',
  field: 'review',
  type: 'text',
  value: 'ID',
  summary: 'Which review; default: the latest',
} as const satisfies OptionSpec;

// biome-ignore format: one row an operation reads best
export const REVIEW_SPECS = operationSpecs([
  {
    name: 'review.checks', command: 'review checks', group: 'Review', kind: 'read', where: 'caller', graphless: true,
    summary: 'List the commands of this repository that a review would run',
    options: [
      { flag: 'run', field: 'run', type: 'text', value: 'MODE', values: ['fast', 'all', 'none'], summary: 'Which checks to run (default: fast)' },
    ],
    examples: ['troupe review checks', 'troupe review checks --run all --json'],
    load: () => import('./start-review.js').then((module) => module.checks),
  },
  {
    name: 'review.inspect', command: 'inspect', group: 'Review', kind: 'write',
    forRuns: 'any', where: 'caller',
    summary: 'Run one step of a review and record its evidence',
    arguments: [{ field: 'name', summary: 'One of prepare, command, secrets, inventory, links, hotspots, todos, presence, big', required: true }],
    options: [
      REVIEW,
      { flag: 'command', field: 'command', type: 'text', value: 'ID', summary: 'For command: its name in the plan' },
    ],
    examples: ['troupe inspect secrets', 'troupe inspect command --command npm-lint --review review'],
    load: () => import('./inspect.js').then((module) => module.inspect),
  },
  {
    name: 'review.report', command: 'review report', group: 'Review', kind: 'write',
    forRuns: 'any', where: 'caller',
    summary: 'Write the report of a review from its evidence',
    options: [REVIEW],
    examples: ['troupe review report', 'troupe review report --review review-2'],
    load: () => import('./report.js').then((module) => module.report),
  },
  {
    name: 'review.check', command: 'review check', group: 'Review', kind: 'write',
    forRuns: 'any', where: 'caller',
    summary: 'Check that a report is complete and consistent, then remove the scratch copy',
    options: [REVIEW],
    examples: ['troupe review check', 'troupe review check --review review-2 --json'],
    load: () => import('./report.js').then((module) => module.check),
  },
  {
    name: 'review.summary', command: 'review summary', group: 'Review', kind: 'read', where: 'caller',
    summary: 'Show the findings of a review, starting with what to do first',
    options: [REVIEW],
    examples: ['troupe review summary', 'troupe review summary --json'],
    load: () => import('./report.js').then((module) => module.summary),
  },
]);
