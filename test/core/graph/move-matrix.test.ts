import path from 'node:path';
import { expect, test } from 'vitest';
import { checkpointTask } from '#core/graph/checkpoint.js';
import { submitTask } from '#core/graph/deliverable.js';
import { editTask } from '#core/graph/edit.js';
import type { EventDraft, Plan } from '#core/graph/event.js';
import { reclaimTask, rescheduleTask } from '#core/graph/hand-over.js';
import {
  abandonTask,
  artifactTask,
  blockTask,
  claimTask,
  doneTask,
  failTask,
  logTask,
  type Moved,
  type MoveOptions,
  reopenTask,
  retryTask,
  unclaimTask,
} from '#core/graph/moves.js';
import { pauseTask, publishTask, resumeTask } from '#core/graph/pause.js';
import { acceptTask, approveTask, rejectTask } from '#core/graph/review.js';
import type { GraphState } from '#core/graph/state.js';
import { STATUSES } from '#core/graph/task.js';
import { waitTask } from '#core/graph/wait.js';
import { timestamp } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { AT, graphOf, NOW, type TaskFields } from './graph.js';

type Row = TaskFields & { id: string };
const WORK = { assigned: 'agent-1', fence: 2, started_at: AT };
const REVIEW = { ...WORK, status: 'pending-validation' } as const;
const loop = (more: TaskFields = {}, header: TaskFields = {}): Row[] => [
  { id: 'a', after: ['h'], ...more },
  { id: 'h', after: ['a'], cycle_config: { max_iterations: 3 }, ...header },
];

/** A task in every state that a move tells apart, with what stands around it. */
const STATES: Readonly<Record<string, readonly Row[]>> = {
  ...Object.fromEntries(STATUSES.map((status) => [status, [{ id: 'a', status, ...WORK }]])),
  ...Object.fromEntries(
    (['open', 'in-progress', 'done'] as const).map((status) => [`${status}, nobody's`, [{ id: 'a', status }]]),
  ),
  'held by another': [{ id: 'a', status: 'in-progress', assigned: 'agent-2', fence: 3 }],
  'open, held before': [
    { id: 'a', fence: 1, delay: '5m', failure_reason: 'x', ready_after: AT, deaths: [AT], misses: {} },
  ],
  'made by the run': [
    { id: 'a', created_by: 'agent-1' },
    { id: 'own', ...WORK },
  ],
  paused: [
    { id: 'a', paused: true },
    { id: 'b', after: ['a'], paused: true },
    { id: 'c', after: ['b'] },
  ],
  unplaced: [{ id: 'a', unplaced: true }],
  'not before': [{ id: 'a', not_before: '2030-01-01T00:00:00.000Z' }],
  'behind an open one': [{ id: 'a', after: ['b', 'gone'] }, { id: 'b' }],
  'behind a failed one': [
    { id: 'a', after: ['b'], after_success: ['b'] },
    { id: 'b', status: 'failed' },
  ],
  proposed: [{ id: 'a', paused: true, formation_gate: { run: 'r', command: 'start' } }],
  'behind a go': [{ id: 'a', formation_gate: { run: 'r', command: 'go' } }],
  'free work of a team': [{ id: 'a', team: 't', free: true }],
  'to be reviewed': [
    { id: 'a', ...WORK, status: 'in-progress', verify: 'Read it', log: [{ timestamp: AT, message: 'x' }] },
  ],
  'to be scored': [
    { id: 'a', ...WORK, status: 'in-progress', eval_gate: 0.7 },
    { id: 'evaluate-a', after: ['a', 'x'] },
  ],
  'to be validated': [{ id: 'a', ...WORK, status: 'in-progress', validation: 'external' }],
  'with a file to hand in': [{ id: 'a', ...WORK, status: 'in-progress', hands_in: true, deliverables: ['x.md'] }],
  'asked to report': [{ id: 'a', ...WORK, status: 'in-progress', asked_to_report: 1, reserve_next: 2 }],
  'with tasks about it': [
    { id: 'a', ...WORK, status: 'in-progress' },
    { id: 'assign-a' },
    { id: 'evaluate-a', after: ['a'] },
  ],
  'review on a team': [
    { id: 'a', ...REVIEW, team: 't', review_task: '.r', failure_reason: 'x' },
    { id: '.r', assigned: 'x' },
  ],
  'review that is over': [
    { id: 'a', ...REVIEW, team: 't', review_task: '.r' },
    { id: '.r', status: 'done' },
  ],
  'second review': [{ id: 'a', ...REVIEW, rejection_count: 1, max_rejections: 2, team: 't' }],
  'third review': [{ id: 'a', ...REVIEW, rejection_count: 2 }],
  'review of what was not merged': [{ id: 'a', ...REVIEW, unmerged: true, conflict_branch: 'b' }],
  accepted: [{ id: 'a', ...REVIEW, accepted: { by: 'bob', at: AT, fence: 2 } }],
  'review of converged work': loop({ ...REVIEW, converge_on_done: true }),
  'member of a cycle': loop({ ...WORK, status: 'in-progress' }, { status: 'done' }),
  'member of a cycle under review': loop({ ...WORK, status: 'in-progress', verify: 'x' }, { status: 'done' }),
  'header of a cycle': [
    { id: 'a', after: ['a'], cycle_config: { max_iterations: 2 }, tags: ['x'], ...WORK, status: 'in-progress' },
  ],
  'cycle that does not listen': [{ id: 'a', after: ['a'], cycle_config: { max_iterations: 2, no_converge: true } }],
  'open in a cycle that converged': loop({}, { status: 'done', tags: ['converged'] }),
  'waiting, held by another': [{ id: 'a', status: 'waiting', assigned: 'agent-2', fence: 3 }],
  'cycle that ended': loop(
    { status: 'done' },
    { status: 'done', tags: ['converged', 'x'], cycle_ended: { reason: 'converged', at: AT } },
  ),
  'header of a cycle that ended': [
    {
      ...{ id: 'a', status: 'done', after: ['a'], cycle_config: { max_iterations: 1 }, tags: ['converged'] },
      cycle_ended: { reason: 'converged', at: AT },
    },
  ],
  deadlock: [
    { id: 'a', after: ['b'], paused: true },
    { id: 'b', after: ['a'] },
  ],
  'failed, with retries left': [
    { id: 'a', status: 'failed', retry_count: 1, max_retries: 1, ...WORK, last_run: { run: 'agent-1', iteration: 0 } },
  ],
  'failed, without': [{ id: 'a', status: 'failed', retry_count: 2, max_retries: 1 }],
  'with artifacts': [{ id: 'a', artifacts: ['x.md', 'y.md'], tags: ['t'], skills: ['s'], model: 'opus' }],
  'waiting for a time': [
    { id: 'a', status: 'waiting', wait_condition: { mode: 'any', since: AT, conditions: [{ type: 'message' }] } },
  ],
};

const RUN = { name: 'agent-1', fence: 2, taskId: 'a' };
const MOVERS: Readonly<Record<string, MoveOptions['by']>> = {
  'a person': { name: 'ann' },
  'its run': RUN,
  'a run of another task': { ...RUN, taskId: 'own' },
};
const wait = { mode: 'all' as const, since: AT, conditions: [{ type: 'human-input' as const }] };
type Move = (view: GraphState, options: MoveOptions) => Plan<unknown>;
const MOVES: Readonly<Record<string, Move>> = {
  claim: (view, options) => claimTask(view, 'a', options),
  'claim by force': (view, options) => claimTask(view, 'a', { ...options, force: true }),
  unclaim: (view, options) => unclaimTask(view, 'a', { ...options, reason: 'tired' }),
  done: (view, options) => doneTask(view, 'a', options),
  'done by force': (view, options) => doneTask(view, 'a', { ...options, force: true, detail: { exit: 0 } }),
  converged: (view, options) => doneTask(view, 'a', { ...options, converged: true }),
  fail: (view, options) => failTask(view, 'a', options),
  'fail with a reason': (view, options) => failTask(view, 'a', { ...options, reason: 'no luck', rejected: true }),
  abandon: (view, options) => abandonTask(view, 'a', { ...options, reason: 'over' }),
  'hand over': (view, options) => reclaimTask(view, 'a', { ...options, from: 'agent-1', to: 'agent-9' }),
  reschedule: (view, options) => rescheduleTask(view, 'a', { ...options, at: NOW + 5 }),
  log: (view, options) => logTask(view, 'a', 'a word', options),
  'add files': (view, options) => artifactTask(view, 'a', ['x.md', 'z.md'], options),
  'forget files': (view, options) => artifactTask(view, 'a', ['x.md'], { ...options, remove: true }),
  retry: (view, options) => retryTask(view, 'a', options),
  'retry afresh': (view, options) => retryTask(view, 'a', { ...options, fresh: true, reason: 'again' }),
  reopen: (view, options) => reopenTask(view, 'a', options),
  block: (view, options) => blockTask(view, 'a', options),
  pause: (view, options) => pauseTask(view, 'a', options),
  resume: (view, options) => resumeTask(view, 'a', options),
  'resume it alone': (view, options) => resumeTask(view, 'a', { ...options, only: true }),
  publish: (view, options) => publishTask(view, 'a', options),
  wait: (view, options) => waitTask(view, 'a', wait, { ...options, checkpoint: 'half' }),
  checkpoint: (view, options) => checkpointTask(view, 'a', { summary: 'half' } as never, options as never),
  submit: (view, options) => submitTask(view, 'a', { summary: 'there' } as never, options as never),
  approve: (view, options) => approveTask(view, 'a', { ...options, reason: 'fine' }),
  accept: (view, options) => acceptTask(view, 'a', 2, options),
  reject: (view, options) => rejectTask(view, 'a', { ...options, reason: 'no' }),
  'reject without a word': (view, options) => rejectTask(view, 'a', { ...options, reason: ' ' }),
  edit: (view, { by }) =>
    editTask(
      view,
      'a',
      { title: 'A', add_tags: ['u'], remove_tags: ['t'], add_after: ['b'], clear: ['model', 'verify'] },
      { by },
    ),
  'edit nothing': (view, { by }) => editTask(view, 'a', { title: 'a' }, { by }),
};

/** `claim a by ann: {fields set} less [fields emptied] says "line of the log"`, and what is answered. */
function said({ op, task_id, actor, detail, patch }: EventDraft): string {
  const changes = patch.map((one) => {
    if (!('set' in one || 'unset' in one || 'log' in one)) return JSON.stringify(one);
    const { id, set, unset, log_at, log = [] } = one;
    const words = log.map(({ message, actor: by }) => ` says ${log_at} ${by} ${JSON.stringify(message)}`);
    return `${id}${set ? ` ${JSON.stringify(set)}` : ''}${unset ? ` less ${unset.join(' ')}` : ''}${words.join('')}`;
  });
  return `${op} ${task_id} by ${actor}${detail ? ` ${JSON.stringify(detail)}` : ''}: ${changes.join('; ')}`;
}

function outcome(move: Move, rows: readonly Row[], by: MoveOptions['by']): string {
  try {
    const { events, result } = move(graphOf(...rows), { now: NOW, by });
    const { id: _, status, changed, warnings, ...more } = (result ?? {}) as Moved;
    const answer = [status, changed ? '' : 'unchanged', ...(warnings ?? []), JSON.stringify(more).replace('{}', '')];
    return `\n    ${[...events.map(said), `= ${answer.filter(Boolean).join(' ')}`].join('\n    ')}`;
  } catch (error) {
    if (!(error instanceof TroupeError)) throw error;
    const { id: __, ...details } = error.details as Readonly<Record<string, unknown>>;
    return ` ${error.code}: ${error.message} ${JSON.stringify(details).replace('{}', '')}`.trimEnd();
  }
}

function matrix(moves: readonly [string, Move][], by: MoveOptions['by']): string {
  const lines = moves.flatMap(([title, move]) => {
    const states = new Map<string, string[]>();
    for (const [state, rows] of Object.entries(STATES)) {
      const found = outcome(move, rows, by);
      states.set(found, [...(states.get(found) ?? []), state]);
    }
    return [`# ${title}`, ...[...states].map(([found, names]) => `  ${names.join(' | ')}:${found}`)];
  });
  return `${lines.join('\n')}\n`.replaceAll(timestamp(NOW), 'NOW');
}

test.each(Object.entries(MOVERS))('what every move by %s comes to in every state', async (name, by) => {
  const file = `golden/moves-${name.replaceAll(' ', '-')}.txt`;
  await expect(matrix(Object.entries(MOVES), by)).toMatchFileSnapshot(path.join(import.meta.dirname, file));
});

test('what is done from another account says so', () => {
  const review = graphOf({ id: 'a', ...REVIEW });
  const options = { now: NOW, by: { name: 'ann', account: 'bob' } };
  const events = [
    approveTask(review, 'a', options),
    rejectTask(review, 'a', { ...options, reason: 'no' }),
    logTask(review, 'a', 'x', options),
  ];
  expect(events.map((plan) => plan.events.map(said).join())).toMatchInlineSnapshot(`
    [
      "approve a by ann {"account":"bob"}: a {"status":"done","completed_at":"2026-03-21T10:00:00.000Z"} says 0 ann "Approved (from the account of bob)"",
      "reject a by ann {"account":"bob"}: a {"status":"open","rejection_count":1,"failure_reason":"no"} less assigned started_at says 0 ann "Rejected (1/3): no (from the account of bob)"",
      "log a by ann {"account":"bob"}: a says 0 ann "x"",
    ]
  `);
});
