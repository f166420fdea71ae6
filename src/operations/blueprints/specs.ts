import type { RunMode } from '#core/review/plan.js';
import { CLIENT_FILES_OPTION, MODEL, SIZE } from '#operations/casting/casting-specs.js';
import { type OptionSpec, operationSpecs, REPLACE } from '#operations/operation-spec.js';

const FILE = {
  flag: 'file',
  field: 'file',
  type: 'text',
  value: 'FILE',
  path: 'always',
  summary: 'Your own blueprint, YAML or JSON',
} as const satisfies OptionSpec;

// biome-ignore format: one row an operation reads best
export const BLUEPRINT_SPECS = operationSpecs([
  {
    name: 'blueprint.list', command: 'blueprint list', group: 'Casting', kind: 'read', graphless: true,
    summary: 'List the blueprints: a team, its workflows and its rules',
    examples: ['troupe blueprint list', 'troupe blueprint list --json'],
    load: () => import('./blueprints.js').then((module) => module.blueprintList),
  },
  {
    name: 'blueprint.show', command: 'blueprint show', group: 'Casting', kind: 'read', graphless: true,
    summary: 'Show the roster, workflows and rules of a blueprint',
    arguments: [{ field: 'id', summary: 'The blueprint', required: true }],
    examples: ['troupe blueprint show support', 'troupe blueprint show blueprint-operations --json'],
    load: () => import('./blueprints.js').then((module) => module.blueprintShow),
  },
  {
    name: 'blueprint.generate', command: 'blueprint generate', group: 'Casting', kind: 'write', where: 'caller',
    asks: { purpose: 'blueprint', unless: [['offline', true]], without: '--offline' },
    summary: 'Generate a blueprint from a description without applying it',
    arguments: [{ field: 'description', summary: 'What the project is for and how its work is done', required: true }],
    options: [
      SIZE,
      ...MODEL,
      { flag: 'out', field: 'out', type: 'text', value: 'FILE', path: 'always', writes: true, summary: 'Write it to this file, for blueprint apply' },
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
    summary: 'Check a blueprint and list every problem',
    arguments: [{ field: 'id', summary: 'A shipped blueprint' }],
    options: [FILE],
    examples: ['troupe blueprint validate --file blueprint.yaml', 'troupe blueprint validate support'],
    load: () => import('./blueprints.js').then((module) => module.blueprintValidate),
  },
  {
    name: 'blueprint.apply', command: 'blueprint apply', group: 'Casting', kind: 'write', graphless: true, writesOutside: true,
    summary: 'Cast the team of a blueprint and adopt its workflows and rules',
    arguments: [{ field: 'id', summary: 'A shipped blueprint' }],
    options: [
      FILE,
      { flag: 'intent', field: 'intent', type: 'text', value: 'INTENT', summary: 'Intent for an existing team: new replaces it' },
      { flag: 'universe', field: 'universe', type: 'text', value: 'NAME', summary: 'The universe of names' },
      { flag: 'seed', field: 'seed', type: 'text', value: 'TEXT', summary: 'Seed that selects the universe; default: the project' },
      CLIENT_FILES_OPTION,
    ],
    examples: ['troupe blueprint apply software-development', 'troupe blueprint apply support --intent new'],
    load: () => import('./apply.js').then((module) => module.blueprintApply),
  },
  {
    name: 'playbook.list', command: 'playbooks', group: 'Start', kind: 'read', graphless: true,
    summary: 'List the playbooks: all that `troupe run NAME "GOAL"` can run',
    options: [
      { flag: 'kind', field: 'kind', type: 'text', value: 'KIND', values: ['workflow', 'formation', 'function'], summary: 'Only workflows, formations or functions' },
    ],
    examples: ['troupe playbooks', 'troupe playbooks --kind workflow --json'],
    load: () => import('./playbooks.js').then((module) => module.playbookList),
  },
  {
    name: 'work.start', command: 'work start', group: 'Start', kind: 'write', writesOutside: true,
    summary: 'Start what `troupe run` starts, without watching: the team, then the tasks',
    arguments: [{ field: 'workflow', summary: 'The workflow (default: repository-review; with --goal: the project default)' }],
    options: [
      { flag: 'goal', field: 'goal', type: 'text', value: 'TEXT', summary: 'The goal of the run' },
      { flag: 'blueprint', field: 'blueprint', type: 'text', value: 'B', summary: 'Cast the team of this blueprint and run its first workflow for the goal' },
      { flag: 'file', field: 'blueprint_file', type: 'text', value: 'FILE', path: 'always', summary: 'The same with your own blueprint file' },
      { flag: 'intent', field: 'intent', type: 'text', value: 'INTENT', summary: 'Intent of the blueprint for an existing team: new replaces it' },
      { flag: 'cast', field: 'cast', type: 'switch', summary: 'Cast a team for it if there is none' },
      { flag: 'resume', field: 'resume', type: 'switch', summary: 'Resume the last run if it has not ended' },
      { flag: 'dry-run', field: 'dry_run', type: 'switch', summary: 'Only show the tasks' },
      { flag: 'override', field: 'override', type: 'switch', summary: 'Also run a workflow that the project does not allow' },
      { flag: 'run', field: 'run', type: 'text', value: 'MODE', values: ['fast', 'all', 'none'] satisfies RunMode[], summary: 'repository-review: which checks to run: fast (default), all or none' },
      { flag: 'dependencies-from', field: 'dependenciesFrom', type: 'text', value: 'FOLDER', path: 'always', summary: 'repository-review: copy installed dependencies from here' },
      CLIENT_FILES_OPTION,
    ],
    examples: ['troupe work start --goal "add a version flag" --dry-run', 'troupe work start repository-review --cast --run none'],
    load: () => import('./start-work.js').then((module) => module.startWork),
  },
]);
