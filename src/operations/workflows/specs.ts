import type { RunMode } from '#core/review/plan.js';
import { operationSpecs } from '#operations/operation-spec.js';

const WORKFLOW = { field: 'id', summary: 'The workflow', names: 'workflow', required: true } as const;

// biome-ignore format: one row an operation reads best
export const WORKFLOW_SPECS = operationSpecs([
  {
    name: 'workflow.list', command: 'workflow list', group: 'Workflows', kind: 'read', graphless: true,
    summary: 'Every workflow there is, shipped and of the project',
    examples: ['troupe workflow list', 'troupe workflow list --json'],
    load: () => import('./workflows.js').then((module) => module.workflowList),
  },
  {
    name: 'workflow.show', command: 'workflow show', group: 'Workflows', kind: 'read', graphless: true,
    summary: 'The steps of a workflow, its cycles, its inputs and its commands',
    arguments: [WORKFLOW],
    examples: ['troupe workflow show bug-fix', 'troupe workflow show repository-review --json'],
    load: () => import('./workflows.js').then((module) => module.workflowShow),
  },
  {
    name: 'workflow.check', command: 'workflow check', group: 'Workflows', kind: 'read', graphless: true,
    summary: 'Whether workflows become tasks here: one, or all',
    arguments: [{ field: 'id', summary: 'The workflow; default: all', names: 'workflow' }],
    examples: ['troupe workflow check', 'troupe workflow check bug-fix'],
    load: () => import('./workflows.js').then((module) => module.workflowCheck),
  },
  {
    name: 'workflow.run', command: 'workflow run', group: 'Workflows', kind: 'write',
    summary: 'Turn a workflow into tasks for this project and its team',
    arguments: [{ field: 'id', summary: 'The workflow; default: the one the project has chosen', names: 'workflow' }],
    options: [
      { flag: 'override', field: 'override', type: 'switch', summary: 'Also one that the project does not allow' },
      { flag: 'dry-run', field: 'dry_run', type: 'switch', summary: 'Only show the tasks' },
      { flag: 'input', field: 'inputs', type: 'each', value: 'NAME=VALUE', summary: 'A value for an input' },
      { flag: 'goal', field: 'goal', type: 'text', value: 'TEXT', summary: 'What the run is for, said with every step' },
      { flag: 'review-policy', field: 'review_policy', type: 'text', value: 'ID', summary: 'Gates before the end; default: those of the project' },
      { flag: 'run', field: 'run', type: 'text', value: 'MODE', values: ['fast', 'all', 'none'] satisfies RunMode[], summary: 'Of repository-review: what may be run, fast (default), all or none' },
      { flag: 'dependencies-from', field: 'dependenciesFrom', type: 'text', value: 'FOLDER', summary: 'Of repository-review: copy installed dependencies from here' },
    ],
    examples: ['troupe workflow run bug-fix --dry-run', 'troupe workflow run repository-review --run none'],
    load: () => import('./run.js').then((module) => module.workflowRun),
  },
  {
    name: 'workflow.status', command: 'workflow status', group: 'Workflows', kind: 'read',
    summary: 'How the runs of workflows stand: passed, declined, exhausted, failed or running',
    arguments: [{ field: 'run', summary: 'The run; default: all' }],
    examples: ['troupe workflow status', 'troupe workflow status bug-fix-2 --json'],
    load: () => import('./runs.js').then((module) => module.workflowStatus),
  },
  {
    name: 'workflow.close', command: 'workflow close', group: 'Workflows', kind: 'write',
    summary: 'End a run: what is not finished is abandoned',
    arguments: [{ field: 'run', summary: 'The run', required: true }],
    examples: ['troupe workflow close bug-fix', 'troupe workflow close bug-fix-2 --json'],
    load: () => import('./runs.js').then((module) => module.workflowClose),
  },
  {
    name: 'workflow.trust', command: 'workflow trust', group: 'Workflows', kind: 'write',
    summary: 'Let the commands of a project’s workflow run here, as its file stands',
    arguments: [WORKFLOW],
    options: [
      { flag: 'show', field: 'show', type: 'switch', summary: 'Only show the commands' },
      { flag: 'withdraw', field: 'withdraw', type: 'switch', summary: 'No longer' },
    ],
    examples: ['troupe workflow trust nightly --show', 'troupe workflow trust nightly'],
    load: () => import('./trust.js').then((module) => module.workflowTrust),
  },
]);

/** The commands about functions as seen from outside. */
export const FUNCTION_SPECS = operationSpecs([
  {
    name: 'func.extract',
    command: 'func extract',
    group: 'Workflows',
    kind: 'write',
    forRuns: 'any',
    asks: { purpose: 'functions', when: 'generalize' },
    summary: 'Make a reusable function of tasks that are done',
    arguments: [{ field: 'tasks', summary: 'The tasks it is made of', names: 'task', required: true, many: true }],
    options: [
      {
        flag: 'name',
        field: 'name',
        type: 'text',
        value: 'ID',
        summary: 'Its id (default: made from the ids of the tasks)',
      },
      {
        flag: 'output',
        field: 'output',
        type: 'text',
        value: 'FILE',
        path: 'always',
        writes: true,
        summary: 'Another file inside the project',
      },
      { flag: 'force', field: 'force', type: 'switch', summary: 'Replace the file that is there' },
      { flag: 'subgraph', field: 'subgraph', type: 'switch', summary: 'Also everything that depends on them' },
      { flag: 'recursive', field: 'recursive', type: 'switch', summary: 'Also the tasks their runs added' },
      {
        flag: 'include-evaluations',
        field: 'include_evaluations',
        type: 'switch',
        summary: 'Also the tasks that assign and evaluate',
      },
      { flag: 'generalize', field: 'generalize', type: 'switch', summary: 'Let a model reword the texts' },
    ],
    examples: [
      'troupe func extract write-draft --subgraph --name draft-review',
      'troupe func extract build test --force',
      'troupe func extract build test --generalize',
    ],
    load: () => import('./extract-function.js').then((module) => module.extract),
  },
  {
    name: 'func.apply',
    command: 'func apply',
    group: 'Workflows',
    kind: 'write',
    forRuns: 'any',
    summary: 'Add the tasks of a function to the graph',
    arguments: [{ field: 'id', summary: 'The function; left out when --from says which' }],
    options: [
      { flag: 'input', field: 'input', type: 'each', value: 'K=V', summary: 'The value of an input' },
      {
        flag: 'input-file',
        field: 'input_file',
        type: 'text',
        value: 'FILE',
        path: 'always',
        summary: 'Values in YAML or JSON',
      },
      { flag: 'prefix', field: 'prefix', type: 'text', value: 'TEXT', summary: 'What the new ids begin with' },
      {
        flag: 'after',
        field: 'after',
        type: 'list',
        value: 'ID',
        names: 'task',
        summary: 'Tasks that the first ones depend on',
      },
      { flag: 'dry-run', field: 'dry_run', type: 'switch', summary: 'Only show what would be added' },
      { flag: 'model', field: 'model', type: 'text', value: 'MODEL', summary: 'The model of the new tasks' },
      {
        flag: 'from',
        field: 'from',
        type: 'text',
        value: 'SOURCE',
        path: 'if-like-one',
        summary:
          'A file, the folder of another project, or one of `agency remote list`; folder and name may end in :ID',
      },
      { flag: 'trust', field: 'trust', type: 'switch', summary: 'Let the commands of such a function run' },
    ],
    examples: [
      'troupe func apply draft-review --input "feature_name=Login page" --dry-run',
      'troupe func apply draft-review --from ../other-project --input feature_name=Search',
      'troupe func apply --from shared:draft-review --input feature_name=Search',
    ],
    load: () => import('./apply-function.js').then((module) => module.apply),
  },
  {
    name: 'func.list',
    command: 'func list',
    group: 'Workflows',
    kind: 'read',
    summary: 'List the functions of this project',
    options: [
      { flag: 'verbose', field: 'verbose', type: 'switch', summary: 'With inputs and tasks' },
      { flag: 'include-peers', field: 'include_peers', type: 'switch', summary: 'Also those of peers' },
    ],
    examples: ['troupe func list', 'troupe func list --verbose --json'],
    load: () => import('./functions.js').then((module) => module.list),
  },
  {
    name: 'func.show',
    command: 'func show',
    group: 'Workflows',
    kind: 'read',
    summary: 'Show a function: its inputs, its tasks',
    arguments: [{ field: 'id', summary: 'The function', required: true }],
    examples: ['troupe func show draft-review', 'troupe func show draft-review --json'],
    load: () => import('./functions.js').then((module) => module.show),
  },
]);
