import type { RunMode } from '#core/review/plan.js';
import { faces } from '#operations/face.js';

const WORKFLOW = { field: 'id', summary: 'The workflow', required: true } as const;

// biome-ignore format: one row an operation reads best
export const WORKFLOW_FACES = faces([
  {
    name: 'workflow.list', command: 'workflow list', group: 'Work', kind: 'read',
    summary: 'Every workflow there is, shipped and of the project',
    examples: ['troupe workflow list', 'troupe workflow list --json'],
    load: () => import('./list-workflows.js').then((module) => module.workflowList),
  },
  {
    name: 'workflow.show', command: 'workflow show', group: 'Work', kind: 'read',
    summary: 'The steps of a workflow, its cycles, its inputs and its commands',
    arguments: [WORKFLOW],
    examples: ['troupe workflow show bug-fix', 'troupe workflow show repository-review --json'],
    load: () => import('./show-workflow.js').then((module) => module.workflowShow),
  },
  {
    name: 'workflow.check', command: 'workflow check', group: 'Work', kind: 'read',
    summary: 'Whether workflows become tasks here: one, or all',
    arguments: [{ field: 'id', summary: 'The workflow; default: all' }],
    examples: ['troupe workflow check', 'troupe workflow check bug-fix'],
    load: () => import('./check.js').then((module) => module.workflowCheck),
  },
  {
    name: 'workflow.run', command: 'workflow run', group: 'Work', kind: 'write',
    summary: 'Turn a workflow into tasks for this project and its team',
    arguments: [{ field: 'id', summary: 'The workflow; default: the one the project has chosen' }],
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
    name: 'workflow.status', command: 'workflow status', group: 'Work', kind: 'read',
    summary: 'How the runs of workflows stand: passed, declined, exhausted, failed or running',
    arguments: [{ field: 'run', summary: 'The run; default: all' }],
    examples: ['troupe workflow status', 'troupe workflow status bug-fix-2 --json'],
    load: () => import('./status.js').then((module) => module.workflowStatus),
  },
  {
    name: 'workflow.close', command: 'workflow close', group: 'Work', kind: 'write',
    summary: 'End a run: what is not finished is abandoned',
    arguments: [{ field: 'run', summary: 'The run', required: true }],
    examples: ['troupe workflow close bug-fix', 'troupe workflow close bug-fix-2 --json'],
    load: () => import('./close.js').then((module) => module.workflowClose),
  },
  {
    name: 'workflow.trust', command: 'workflow trust', group: 'Work', kind: 'write',
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
