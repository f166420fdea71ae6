import type { RunMode } from '#core/review/plan.js';
import { operationSpecs } from '#operations/operation-spec.js';

const WORKFLOW = { field: 'id', summary: 'The workflow', names: 'workflow', required: true } as const;

// biome-ignore format: one row an operation reads best
export const WORKFLOW_SPECS = operationSpecs([
  {
    name: 'workflow.list', command: 'workflow list', group: 'Workflows', kind: 'read', graphless: true,
    summary: 'List all workflows, shipped and of the project',
    examples: ['troupe workflow list', 'troupe workflow list --json'],
    load: () => import('./workflows.js').then((module) => module.workflowList),
  },
  {
    name: 'workflow.show', command: 'workflow show', group: 'Workflows', kind: 'read', graphless: true,
    summary: 'Show the steps, cycles, inputs and commands of a workflow',
    arguments: [WORKFLOW],
    examples: ['troupe workflow show bug-fix', 'troupe workflow show repository-review --json'],
    load: () => import('./workflows.js').then((module) => module.workflowShow),
  },
  {
    name: 'workflow.check', command: 'workflow check', group: 'Workflows', kind: 'read', graphless: true,
    summary: 'Check whether workflows compile to tasks: one or all',
    arguments: [{ field: 'id', summary: 'The workflow; default: all', names: 'workflow' }],
    examples: ['troupe workflow check', 'troupe workflow check bug-fix'],
    load: () => import('./workflows.js').then((module) => module.workflowCheck),
  },
  {
    name: 'workflow.run', command: 'workflow run', group: 'Workflows', kind: 'write',
    summary: 'Run a workflow: create its tasks for this project and team',
    arguments: [{ field: 'id', summary: 'The workflow (default: that of the project)', names: 'workflow' }],
    options: [
      { flag: 'override', field: 'override', type: 'switch', summary: 'Also run a workflow that the project does not allow' },
      { flag: 'dry-run', field: 'dry_run', type: 'switch', summary: 'Only show the tasks' },
      { flag: 'input', field: 'inputs', type: 'each', value: 'NAME=VALUE', summary: 'An input value' },
      { flag: 'goal', field: 'goal', type: 'text', value: 'TEXT', summary: 'The goal of the run, added to every step' },
      { flag: 'review-policy', field: 'review_policy', type: 'text', value: 'ID', summary: 'The gates before the end (default: those of the project)' },
      { flag: 'run', field: 'run', type: 'text', value: 'MODE', values: ['fast', 'all', 'none'] satisfies RunMode[], summary: 'repository-review: which checks to run: fast (default), all or none' },
      { flag: 'dependencies-from', field: 'dependenciesFrom', type: 'text', value: 'FOLDER', path: 'always', summary: 'repository-review: copy installed dependencies from here' },
    ],
    examples: ['troupe workflow run bug-fix --dry-run', 'troupe workflow run repository-review --run none'],
    load: () => import('./run.js').then((module) => module.workflowRun),
  },
  {
    name: 'workflow.status', command: 'workflow status', group: 'Workflows', kind: 'read',
    summary: 'Show workflow runs: passed, declined, exhausted, failed or running',
    arguments: [{ field: 'run', summary: 'The run; default: all' }],
    examples: ['troupe workflow status', 'troupe workflow status bug-fix-2 --json'],
    load: () => import('./runs.js').then((module) => module.workflowStatus),
  },
  {
    name: 'workflow.close', command: 'workflow close', group: 'Workflows', kind: 'write',
    summary: 'Close a run and abandon its unfinished tasks',
    arguments: [{ field: 'run', summary: 'The run', required: true }],
    examples: ['troupe workflow close bug-fix', 'troupe workflow close bug-fix-2 --json'],
    load: () => import('./runs.js').then((module) => module.workflowClose),
  },
  {
    name: 'workflow.trust', command: 'workflow trust', group: 'Workflows', kind: 'write', trusts: true,
    summary: 'Trust the commands of a project workflow, as its file is now',
    arguments: [WORKFLOW],
    options: [
      { flag: 'show', field: 'show', type: 'switch', summary: 'Only show the commands' },
      { flag: 'withdraw', field: 'withdraw', type: 'switch', summary: 'Revoke the trust' },
    ],
    examples: ['troupe workflow trust nightly --show', 'troupe workflow trust nightly'],
    load: () => import('./trust.js').then((module) => module.workflowTrust),
  },
]);

/** Commands about functions. */
export const FUNCTION_SPECS = operationSpecs([
  {
    name: 'func.extract',
    command: 'func extract',
    group: 'Workflows',
    kind: 'write',
    forRuns: 'any',
    asks: { purpose: 'functions', when: 'generalize' },
    summary: 'Extract a reusable function from done tasks',
    arguments: [{ field: 'tasks', summary: 'The tasks to extract', names: 'task', required: true, many: true }],
    options: [
      {
        flag: 'name',
        field: 'name',
        type: 'text',
        value: 'ID',
        summary: 'Its id (default: from the task ids)',
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
      { flag: 'force', field: 'force', type: 'switch', summary: 'Overwrite an existing file' },
      { flag: 'subgraph', field: 'subgraph', type: 'switch', summary: 'Include everything that depends on them' },
      { flag: 'recursive', field: 'recursive', type: 'switch', summary: 'Include the tasks their runs added' },
      {
        flag: 'include-evaluations',
        field: 'include_evaluations',
        type: 'switch',
        summary: 'Include the tasks that assign and evaluate',
      },
      { flag: 'generalize', field: 'generalize', type: 'switch', summary: 'Have a model generalize the texts' },
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
    arguments: [{ field: 'id', summary: 'The function; leave out if --from names it' }],
    options: [
      { flag: 'input', field: 'input', type: 'each', value: 'K=V', summary: 'An input value' },
      {
        flag: 'input-file',
        field: 'input_file',
        type: 'text',
        value: 'FILE',
        path: 'always',
        summary: 'Values in YAML or JSON',
      },
      { flag: 'prefix', field: 'prefix', type: 'text', value: 'TEXT', summary: 'A prefix for the new ids' },
      {
        flag: 'after',
        field: 'after',
        type: 'list',
        value: 'ID',
        names: 'task',
        summary: 'Dependencies of the first tasks',
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
      { flag: 'trust', field: 'trust', type: 'switch', summary: 'Trust the commands of such a function' },
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
      { flag: 'verbose', field: 'verbose', type: 'switch', summary: 'Show inputs and tasks' },
      { flag: 'include-peers', field: 'include_peers', type: 'switch', summary: 'Include those of remotes' },
    ],
    examples: ['troupe func list', 'troupe func list --verbose --json'],
    load: () => import('./functions.js').then((module) => module.list),
  },
  {
    name: 'func.show',
    command: 'func show',
    group: 'Workflows',
    kind: 'read',
    summary: 'Show the inputs and tasks of a function',
    arguments: [{ field: 'id', summary: 'The function', required: true }],
    examples: ['troupe func show draft-review', 'troupe func show draft-review --json'],
    load: () => import('./functions.js').then((module) => module.show),
  },
]);
