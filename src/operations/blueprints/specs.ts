import type { RunMode } from '#core/review/plan.js';
import { type OptionSpec, operationSpecs, REPLACE } from '#operations/operation-spec.js';
import { CLIENT_FILES, MODEL, SIZE } from '#operations/team/casting-specs.js';

const FILE = {
  flag: 'file',
  field: 'file',
  type: 'text',
  value: 'FILE',
  path: 'always',
  summary: 'A blueprint of your own, YAML or JSON',
} as const satisfies OptionSpec;

// biome-ignore format: one row an operation reads best
export const BLUEPRINT_SPECS = operationSpecs([
  {
    name: 'blueprint.list', command: 'blueprint list', group: 'Casting', kind: 'read', graphless: true,
    summary: 'Ways to begin a project: a team, its workflows and its rules',
    examples: ['troupe blueprint list', 'troupe blueprint list --json'],
    load: () => import('./blueprints.js').then((module) => module.blueprintList),
  },
  {
    name: 'blueprint.show', command: 'blueprint show', group: 'Casting', kind: 'read', graphless: true,
    summary: 'The roster, workflows and rules of a blueprint',
    arguments: [{ field: 'id', summary: 'The blueprint', required: true }],
    examples: ['troupe blueprint show support', 'troupe blueprint show blueprint-operations --json'],
    load: () => import('./blueprints.js').then((module) => module.blueprintShow),
  },
  {
    name: 'blueprint.generate', command: 'blueprint generate', group: 'Casting', kind: 'write', where: 'caller',
    asks: { purpose: 'blueprint', unless: [['offline', true]], without: '--offline' },
    summary: 'Make a blueprint from a description: nothing is applied',
    arguments: [{ field: 'description', summary: 'What the project is for and how its work goes', required: true }],
    options: [
      SIZE,
      ...MODEL,
      { flag: 'out', field: 'out', type: 'text', value: 'FILE', path: 'always', writes: true, summary: 'Write it there, for blueprint apply' },
      REPLACE,
    ],
    examples: [
      'troupe blueprint generate "plan and book trips for small groups" --out trips.json',
      'troupe blueprint generate "answer the mails of customers" --offline --json',
    ],
    load: () => import('./generate.js').then((module) => module.blueprintGenerate),
  },
  {
    name: 'blueprint.validate', command: 'blueprint validate', group: 'Casting', kind: 'read', where: 'caller',
    summary: 'Everything that is wrong with a blueprint',
    arguments: [{ field: 'id', summary: 'A shipped one' }],
    options: [FILE],
    examples: ['troupe blueprint validate --file blueprint.yaml', 'troupe blueprint validate support'],
    load: () => import('./blueprints.js').then((module) => module.blueprintValidate),
  },
  {
    name: 'blueprint.apply', command: 'blueprint apply', group: 'Casting', kind: 'write', graphless: true, writesOutside: true,
    summary: 'Cast the team of a blueprint and take over its workflows and rules',
    arguments: [{ field: 'id', summary: 'A shipped one' }],
    options: [
      FILE,
      { flag: 'intent', field: 'intent', type: 'text', value: 'INTENT', summary: 'Over a team that exists: new replaces it' },
      { flag: 'universe', field: 'universe', type: 'text', value: 'NAME', summary: 'Where names come from' },
      { flag: 'seed', field: 'seed', type: 'text', value: 'TEXT', summary: 'Chooses the first universe; default: the project' },
      CLIENT_FILES,
    ],
    examples: ['troupe blueprint apply software-development', 'troupe blueprint apply support --intent new'],
    load: () => import('./apply.js').then((module) => module.blueprintApply),
  },
  {
    name: 'work.start', command: 'work start', group: 'Start', kind: 'write', writesOutside: true,
    summary: 'Begin what `troupe run` begins, without watching it: the team, then the tasks',
    arguments: [{ field: 'workflow', summary: 'The workflow (default: repository-review; with --goal: the one the project has chosen)' }],
    options: [
      { flag: 'goal', field: 'goal', type: 'text', value: 'TEXT', summary: 'What is to be reached' },
      { flag: 'blueprint', field: 'blueprint', type: 'text', value: 'B', summary: 'Cast the team of this shipped blueprint, and run its first workflow for the goal' },
      { flag: 'file', field: 'blueprint_file', type: 'text', value: 'FILE', path: 'always', summary: 'The same with a blueprint of your own' },
      { flag: 'intent', field: 'intent', type: 'text', value: 'INTENT', summary: 'With a blueprint over a team that exists: new replaces it' },
      { flag: 'cast', field: 'cast', type: 'switch', summary: 'Cast a team for it, where there is none' },
      { flag: 'resume', field: 'resume', type: 'switch', summary: 'Go on with the run that was begun last, where one has not ended' },
      { flag: 'dry-run', field: 'dry_run', type: 'switch', summary: 'Only show the tasks' },
      { flag: 'override', field: 'override', type: 'switch', summary: 'Also a workflow that the project does not allow' },
      { flag: 'run', field: 'run', type: 'text', value: 'MODE', values: ['fast', 'all', 'none'] satisfies RunMode[], summary: 'Of repository-review: what may be run, fast (default), all or none' },
      { flag: 'dependencies-from', field: 'dependenciesFrom', type: 'text', value: 'FOLDER', path: 'always', summary: 'Of repository-review: copy installed dependencies from here' },
      CLIENT_FILES,
    ],
    examples: ['troupe work start --goal "add a version flag" --dry-run', 'troupe work start repository-review --cast --run none'],
    load: () => import('./start-work.js').then((module) => module.startWork),
  },
]);
