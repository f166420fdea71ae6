import { PLAN_STATES } from '#core/graph/team-plan.js';
import { TEAM_TASK_STATUSES, VERDICTS } from '#core/teams/team.js';
import { type ArgumentSpec, type OptionSpec, operationSpecs, REPLACE } from '#operations/operation-spec.js';
import { ACTOR, ID } from '#operations/options.js';

const TEAM = { field: 'team', summary: 'Its name or id', required: true } as const satisfies ArgumentSpec;
/** Options of every verdict on a submission. */
const DECISION = [
  { flag: 'feedback', field: 'feedback', type: 'text', value: 'TEXT', summary: 'The feedback to the member' },
  { flag: 'attempt', field: 'attempt', type: 'number', value: 'N', summary: 'Only if this attempt is still waiting' },
  ACTOR,
] as const satisfies readonly OptionSpec[];

// biome-ignore format: one row an operation reads best
export const TEAMWORK_SPECS = operationSpecs([
  {
    name: 'team.task', command: 'team task', group: 'Team', kind: 'write', forRuns: 'any',
    summary: 'Create a task for a team, or one of its members; the leader reviews it',
    arguments: [TEAM, { field: 'title', summary: 'What to do', required: true }],
    options: [
      { flag: 'to', field: 'to', type: 'text', value: 'NAME', summary: 'The member who does it (default: whoever takes it)' },
      { flag: 'description', short: 'd', field: 'description', type: 'text', value: 'TEXT', summary: 'Everything the member needs to know' },
      { flag: 'verify', field: 'verify', type: 'text', value: 'TEXT', summary: 'What the review checks' },
      { flag: 'after', field: 'after', type: 'list', value: 'ID', names: 'task', summary: 'The task it depends on' },
      { flag: 'max-rejections', field: 'max_rejections', type: 'number', value: 'N', summary: 'Fail it after this many rejections' },
      { flag: 'plan', field: 'plan', type: 'switch', summary: 'Require a plan that the leader approves first' },
    ],
    examples: ['troupe team task airlock "Seal the outer door" --to Hicks', 'troupe team task airlock "Test the seal" --to Hicks --after seal-the-outer --verify "It holds vacuum"'],
    load: () => import('./team-tasks.js').then((module) => module.task),
  },
  {
    name: 'team.take', command: 'team take', group: 'Team', kind: 'write', forRuns: 'any',
    summary: 'Take a team task that is nobody’s yet',
    arguments: [ID],
    options: [{ flag: 'as', field: 'member', type: 'text', value: 'NAME', summary: 'The member who takes it (default: you, or the member of the run)' }],
    examples: ['troupe team take seal-the-outer', 'troupe team take seal-the-outer --as Hicks'],
    load: () => import('./team-tasks.js').then((module) => module.take),
  },
  {
    name: 'team.tasks', command: 'team tasks', group: 'Team', kind: 'read',
    summary: 'List the tasks of a team and their status',
    arguments: [TEAM],
    options: [
      { flag: 'status', field: 'status', type: 'text', value: 'WORD', values: TEAM_TASK_STATUSES, summary: 'Only tasks with this status' },
      { flag: 'member', field: 'member', type: 'text', value: 'NAME', summary: 'Only tasks of this member' },
    ],
    examples: ['troupe team tasks airlock', 'troupe team tasks airlock --status WaitingReview --json'],
    load: () => import('./team-tasks.js').then((module) => module.tasks),
  },
  {
    name: 'task.submit', command: 'team submit', group: 'Team', kind: 'write', forRuns: 'any',
    summary: 'Submit the result of a team task for review',
    arguments: [ID],
    options: [
      { flag: 'file', field: 'path', type: 'text', value: 'FILE', path: 'always', summary: 'The file to submit, at most 1 MiB' },
      { flag: 'content', field: 'content', type: 'text', value: 'TEXT', summary: 'The text to submit' },
      { flag: 'title', field: 'title', type: 'text', value: 'TEXT', summary: 'Its name (default: the file name, or the title of the task)' },
      { flag: 'content-type', field: 'content_type', type: 'text', value: 'TYPE', summary: 'Its content type, such as text/markdown (default: from the file name)' },
      { flag: 'summary', field: 'summary', type: 'text', value: 'TEXT', summary: 'A note for the reviewer' },
      ACTOR,
    ],
    examples: ['troupe team submit seal-the-outer --file docs/seal.md', 'troupe team submit seal-the-outer --content "The seal holds." --actor hicks'],
    load: () => import('./submissions.js').then((module) => module.submit),
  },
  {
    name: 'task.review', command: 'team review', group: 'Team', kind: 'write', forRuns: 'any',
    summary: 'Approve the work of a member, or reject it with feedback',
    arguments: [ID, { field: 'verdict', summary: 'approve or reject', values: VERDICTS }],
    options: DECISION,
    examples: ['troupe team review seal-the-outer approve', 'troupe team review seal-the-outer reject --feedback "handle vacuum"'],
    load: () => import('./submissions.js').then((module) => module.review),
  },
  {
    name: 'plan.submit', command: 'team plan submit', group: 'Team', kind: 'write', forRuns: 'any',
    summary: 'Submit the plan of a team task to the leader for approval',
    arguments: [ID],
    options: [
      { flag: 'file', field: 'path', type: 'text', value: 'FILE', path: 'always', summary: 'The file with the plan' },
      { flag: 'content', field: 'content', type: 'text', value: 'TEXT', summary: 'The text of the plan' },
      { flag: 'summary', field: 'summary', type: 'text', value: 'TEXT', summary: 'A note for the leader' },
      ACTOR,
    ],
    examples: ['troupe team plan submit seal-the-outer --file PLAN.md', 'troupe team plan submit seal-the-outer --content "First the frame." --actor hicks'],
    load: () => import('./plans.js').then((module) => module.submitPlan),
  },
  {
    name: 'plan.approve', command: 'team plan approve', group: 'Team', kind: 'write', forRuns: 'any',
    summary: 'Approve a plan: its task may start',
    arguments: [ID], options: DECISION,
    examples: ['troupe team plan approve seal-the-outer', 'troupe team plan approve seal-the-outer --feedback "Mind the frame"'],
    load: () => import('./plans.js').then((module) => module.approvePlan),
  },
  {
    name: 'plan.reject', command: 'team plan reject', group: 'Team', kind: 'write', forRuns: 'any',
    summary: 'Reject a plan with feedback: the member makes another',
    arguments: [ID], options: DECISION,
    examples: ['troupe team plan reject seal-the-outer --feedback "The frame comes first"', 'troupe team plan reject seal-the-outer --attempt 1'],
    load: () => import('./plans.js').then((module) => module.rejectPlan),
  },
  {
    name: 'plan.list', command: 'team plan list', group: 'Team', kind: 'read',
    summary: 'List the plans of a team and their status',
    arguments: [TEAM],
    options: [{ flag: 'status', field: 'status', type: 'text', value: 'WORD', values: PLAN_STATES, summary: 'Only plans with this status' }],
    examples: ['troupe team plan list airlock', 'troupe team plan list airlock --status submitted --json'],
    load: () => import('./plans.js').then((module) => module.listPlans),
  },
  {
    name: 'artifact.list', command: 'team artifact list', group: 'Team', kind: 'read', graphless: true,
    summary: 'List the artifacts of a team, latest first',
    arguments: [TEAM],
    options: [
      { flag: 'task', field: 'task', type: 'text', value: 'ID', names: 'task', summary: 'Only for this task' },
      { flag: 'limit', field: 'limit', type: 'number', value: 'N', summary: 'At most N' },
    ],
    examples: ['troupe team artifact list airlock', 'troupe team artifact list airlock --task seal-the-outer --json'],
    load: () => import('./artifacts.js').then((module) => module.list),
  },
  {
    name: 'artifact.get', command: 'team artifact get', group: 'Team', kind: 'read', graphless: true,
    summary: 'Show an artifact, or write it to a file unchanged',
    arguments: [{ field: 'id', summary: 'The artifact', required: true }],
    options: [
      { flag: 'output', short: 'o', field: 'output', type: 'text', value: 'FILE', path: 'always', writes: true, summary: 'The file to write' },
      REPLACE,
    ],
    examples: ['troupe team artifact get 2b1c5a60-0000-5000-8000-000000000000', 'troupe team artifact get 2b1c5a60-0000-5000-8000-000000000000 -o seal.md'],
    load: () => import('./artifacts.js').then((module) => module.get),
  },
  {
    name: 'artifact.put', command: 'team artifact put', group: 'Team', kind: 'write', graphless: true,
    summary: 'Store a file or a text for the whole team',
    arguments: [TEAM],
    options: [
      { flag: 'file', field: 'path', type: 'text', value: 'FILE', path: 'always', summary: 'The file, at most 1 MiB' },
      { flag: 'content', field: 'content', type: 'text', value: 'TEXT', summary: 'The text' },
      { flag: 'name', field: 'name', type: 'text', value: 'TEXT', summary: 'Its name (default: the file name)' },
      { flag: 'content-type', field: 'content_type', type: 'text', value: 'TYPE', summary: 'Its content type, such as text/markdown' },
    ],
    examples: ['troupe team artifact put airlock --content "Doors open inwards." --name rules.md', 'troupe team artifact put airlock --file README.md'],
    load: () => import('./artifacts.js').then((module) => module.put),
  },
]);
