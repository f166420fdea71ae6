import * as z from 'zod/mini';
import { editTask } from '#core/graph/edit.js';
import { decidedProposal } from '#core/graph/evolve-review.js';
import { reclaimTask, rescheduleTask } from '#core/graph/hand-over.js';
import { abandonTask, blockTask, claimTask, failTask, reopenTask, retryTask, unclaimTask } from '#core/graph/moves.js';
import { pauseTask, publishTask, resumeTask } from '#core/graph/pause.js';
import { rejectTask } from '#core/graph/review.js';
import { taskOf } from '#core/graph/task-of.js';
import { isTeamTask } from '#core/graph/team-work.js';
import { momentOf } from '#core/graph/time.js';
import { parseWait, pathsOfWait, waitTask } from '#core/graph/wait.js';
import { TroupeError } from '#kernel/errors.js';
import type { FilesContext, GraphContext, MachineContext, WorkContext } from '#operations/contexts.js';
import { argument, option } from '#operations/fields.js';
import { operation } from '#operations/operation.js';
import { ACTOR, REASON, TASK_ID } from '#operations/options.js';
import {
  commitMove,
  flag,
  movedShape,
  moveOptions,
  moverOf,
  personForces,
  text,
  texts,
  unknownPolicy,
} from '#operations/shapes.js';
import { fileFacts } from './file-facts.js';
import { settleFirst } from './settle-first.js';

const MOVE = z.strictObject({ id: TASK_ID, reason: REASON, actor: ACTOR });
const MOVE_WITH_DEPENDENTS = z.strictObject({
  id: TASK_ID,
  only: option('Leave its dependents alone', flag),
  reason: REASON,
  actor: ACTOR,
});

export const claim = operation({
  name: 'task.claim',
  command: 'claim',
  group: 'Tasks',
  kind: 'write',
  scope: 'leader',
  summary: 'Claim a ready task',
  examples: ['troupe claim write-the-parser', 'troupe claim write-the-parser --actor ann'],
  input: z.strictObject({
    id: TASK_ID,
    actor: ACTOR,
    force: option('Even if something is unfinished', flag),
  }),
  output: z.extend(movedShape, { fence: z.number() }),
  run: (context: GraphContext, input) =>
    commitMove(context, (view) =>
      claimTask(view, input.id, { ...moveOptions(context, input), force: personForces(context, input.force) }),
    ),
});

export const unclaim = operation({
  name: 'task.unclaim',
  command: 'unclaim',
  group: 'Tasks',
  kind: 'write',
  forRuns: 'own',
  summary: 'Release a claimed task',
  examples: ['troupe unclaim write-the-parser', 'troupe unclaim write-the-parser --reason "wrong one"'],
  input: MOVE,
  output: movedShape,
  async run(context: GraphContext, input) {
    await settleFirst(context, input.id);
    return await commitMove(context, (view) => unclaimTask(view, input.id, moveOptions(context, input)));
  },
});

export const fail = operation({
  name: 'task.fail',
  command: 'fail',
  group: 'Tasks',
  kind: 'write',
  forRuns: 'own',
  summary: 'Mark a task as failed',
  examples: ['troupe fail run-the-tests --reason "two tests are red"', 'troupe fail run-the-tests'],
  input: z.strictObject({
    id: TASK_ID,
    reason: REASON,
    actor: ACTOR,
    eval_reject: option('Also fail a done task that its evaluation rejects', flag),
  }),
  output: movedShape,
  async run(context: GraphContext, input) {
    await settleFirst(context, input.id);
    return await commitMove(context, (view) =>
      failTask(view, input.id, { ...moveOptions(context, input), rejected: input.eval_reject }),
    );
  },
});

export const abandon = operation({
  name: 'task.abandon',
  command: 'abandon',
  group: 'Tasks',
  kind: 'write',
  forRuns: 'own',
  summary: 'Abandon a task for good',
  examples: ['troupe abandon run-the-tests', 'troupe abandon run-the-tests --reason "no longer needed"'],
  input: z.strictObject({
    id: TASK_ID,
    reason: REASON,
    actor: ACTOR,
    superseded_by: option('The tasks that replace it', texts, { value: 'ID', names: 'task' }),
  }),
  output: movedShape,
  run: (context: GraphContext, input) =>
    commitMove(context, (view) =>
      abandonTask(view, input.id, { ...moveOptions(context, input), superseded_by: input.superseded_by }),
    ),
});

export const retry = operation({
  name: 'task.retry',
  command: 'retry',
  group: 'Tasks',
  kind: 'write',
  forRuns: 'own',
  summary: 'Retry a failed task',
  examples: [
    'troupe retry run-the-tests',
    'troupe retry run-the-tests --reason "the network is back"',
    'troupe retry run-the-tests --fresh',
  ],
  input: z.strictObject({
    id: TASK_ID,
    reason: REASON,
    actor: ACTOR,
    fresh: option('Start without the files of earlier attempts', flag),
  }),
  output: movedShape,
  run: (context: GraphContext, input) =>
    commitMove(context, (view) => retryTask(view, input.id, { ...moveOptions(context, input), fresh: input.fresh })),
});

export const reclaim = operation({
  name: 'task.reclaim',
  command: 'reclaim',
  group: 'Tasks',
  kind: 'write',
  scope: 'leader',
  instead: 'claim --from',
  summary: 'Hand a claim over to someone else',
  examples: [
    'troupe claim write-the-parser --from ann --to ben',
    'troupe claim write-the-parser --from ann --to ben --json',
  ],
  input: z.strictObject({
    id: TASK_ID,
    from: option('Who holds it (required)', z.string(), { value: 'NAME' }),
    to: option('Who takes it (required)', z.string(), { value: 'NAME' }),
    reason: REASON,
  }),
  output: z.extend(movedShape, { fence: z.number() }),
  async run(context: GraphContext, input) {
    await settleFirst(context, input.id);
    return await commitMove(context, (view) =>
      reclaimTask(view, input.id, { ...moveOptions(context, input), from: input.from, to: input.to }),
    );
  },
});

const HOUR_MS = 3_600_000;

export const reschedule = operation({
  name: 'task.reschedule',
  command: 'reschedule',
  group: 'Tasks',
  kind: 'write',
  scope: 'leader',
  summary: 'Set the earliest start of a task',
  examples: ['troupe reschedule run-the-tests --after 2', 'troupe reschedule run-the-tests --at 2030-01-01T08:00:00Z'],
  input: z.strictObject({
    id: TASK_ID,
    after: option('Hours from now', z.optional(z.number().check(z.minimum(0))), { value: 'HOURS' }),
    at: option('At this time', text, { value: 'TIME' }),
    reason: REASON,
  }),
  output: movedShape,
  run(context: GraphContext, input) {
    if ((input.after === undefined) === (input.at === undefined)) {
      throw new TroupeError('usage', { what: 'Use either --after HOURS or --at TIME.' });
    }
    const at = input.at === undefined ? context.clock.now() + (input.after ?? 0) * HOUR_MS : momentOf(input.at);
    if (!Number.isFinite(at) || Math.abs(at) > 8e15)
      throw new TroupeError('bad_input', { what: 'That time is too far in the future.' });
    return commitMove(context, (view) => rescheduleTask(view, input.id, { ...moveOptions(context, input), at }));
  },
});

export const block = operation({
  name: 'task.block',
  command: 'block',
  group: 'Tasks',
  kind: 'write',
  scope: 'leader',
  summary: 'Block a task until a person reopens it',
  examples: ['troupe block run-the-tests --reason "the licence is unclear"', 'troupe block run-the-tests'],
  input: MOVE,
  output: movedShape,
  run: (context: GraphContext, input) =>
    commitMove(context, (view) => blockTask(view, input.id, moveOptions(context, input))),
});

export const reopen = operation({
  name: 'task.reopen',
  command: 'reopen',
  group: 'Tasks',
  kind: 'write',
  scope: 'leader',
  summary: 'Reopen a task, whatever its status',
  examples: ['troupe reopen run-the-tests', 'troupe reopen run-the-tests --reason "the input has changed"'],
  input: MOVE,
  output: movedShape,
  run: (context: GraphContext, input) =>
    commitMove(context, (view) => reopenTask(view, input.id, moveOptions(context, input))),
});

export const pause = operation({
  name: 'task.pause',
  command: 'pause',
  group: 'Tasks',
  kind: 'write',
  forRuns: 'own',
  summary: 'Pause a task: no new attempt starts',
  examples: ['troupe pause run-the-tests', 'troupe pause run-the-tests --reason "not before Monday"'],
  input: MOVE,
  output: movedShape,
  run: (context: GraphContext, input) =>
    commitMove(context, (view) => pauseTask(view, input.id, moveOptions(context, input))),
});

export const resume = operation({
  name: 'task.resume',
  command: 'resume',
  group: 'Tasks',
  kind: 'write',
  forRuns: 'own',
  summary: 'Resume a paused or waiting task and its dependents',
  examples: ['troupe resume run-the-tests', 'troupe resume run-the-tests --only'],
  input: MOVE_WITH_DEPENDENTS,
  output: z.extend(movedShape, { resumed: z.readonly(z.array(z.string())) }),
  run: (context: GraphContext, input) =>
    commitMove(context, (view) => resumeTask(view, input.id, { ...moveOptions(context, input), only: input.only })),
});

export const publish = operation({
  name: 'task.publish',
  command: 'publish',
  group: 'Tasks',
  kind: 'write',
  forRuns: 'own',
  summary: 'Publish a draft and its dependent drafts',
  examples: ['troupe publish run-the-tests', 'troupe publish run-the-tests --only'],
  input: MOVE_WITH_DEPENDENTS,
  output: z.extend(movedShape, { resumed: z.readonly(z.array(z.string())) }),
  run: (context: GraphContext, input) =>
    commitMove(context, (view) => publishTask(view, input.id, { ...moveOptions(context, input), only: input.only })),
});

export const reject = operation({
  name: 'task.reject',
  command: 'reject',
  group: 'Review',
  kind: 'write',
  forRuns: 'any',
  summary: 'Reject the work of a task that needs review',
  examples: [
    'troupe reject write-the-parser --reason "no tests"',
    'troupe reject write-the-parser --reason "no tests" --actor ben',
  ],
  input: z.strictObject({
    id: TASK_ID,
    reason: option('What is wrong with it (required)', z.string(), { value: 'TEXT' }),
    actor: ACTOR,
  }),
  output: movedShape,
  async run(context: WorkContext & MachineContext, input) {
    const view = await (await context.graph()).view();
    const task = taskOf(view, input.id);
    if (isTeamTask(task)) {
      const { checkTeamVerdict } = await import('#operations/review/team-verdict.js');
      await checkTeamVerdict(context, view, task, moverOf(context, input.actor));
    }
    const proposal = decidedProposal(task);
    if (proposal !== undefined) {
      const { decideByTask } = await import('#operations/agency/review.js');
      return await decideByTask(context, input.id, proposal, 'reject');
    }
    return commitMove(context, (now) =>
      rejectTask(now, input.id, { ...moveOptions(context, input), reason: input.reason }),
    );
  },
});

export const wait = operation({
  name: 'task.wait',
  command: 'wait',
  group: 'Tasks',
  kind: 'write',
  forRuns: 'own',
  summary: 'Set a task you hold to waiting until a condition is met',
  examples: [
    'troupe wait write-the-parser --until task:run-the-tests=done',
    'troupe wait write-the-parser --until timer:5m,message --checkpoint "lexer works"',
  ],
  input: z.strictObject({
    id: TASK_ID,
    until: option(
      'task:ID=STATUS, timer:5m, human-input, message, file:PATH; several with , (all) or | (any)',
      z.string(),
      { value: 'WHAT' },
    ),
    checkpoint: option('What the next attempt needs to know', text, { value: 'TEXT' }),
    reason: REASON,
    actor: ACTOR,
  }),
  output: movedShape,
  async run(context: GraphContext & FilesContext, input) {
    const files = await fileFacts(context, pathsOfWait(input.until), 'refuse');
    const options = { ...moveOptions(context, input), checkpoint: input.checkpoint };
    const by = options.by.fence === undefined ? {} : { by: options.by.name };
    return commitMove(context, (view) =>
      waitTask(view, input.id, parseWait(view, input.until, { now: options.now, files, ...by }), options),
    );
  },
});

export const addDependency = operation({
  name: 'task.add-dep',
  command: 'add-dep',
  group: 'Tasks',
  kind: 'write',
  forRuns: 'own',
  instead: 'edit --add-after',
  summary: 'Make a task depend on another',
  examples: [
    'troupe add-dep run-the-tests write-the-parser',
    'troupe add-dep run-the-tests write-the-parser --success',
  ],
  input: z.strictObject({
    id: TASK_ID,
    dependency: argument('The task it depends on', z.string(), { names: 'task' }),
    success: option('The dependency must succeed', flag),
    allow_missing: option('Accept a task that does not exist yet; until then it blocks nothing', flag),
  }),
  output: movedShape,
  run: (context: GraphContext, { id, dependency, success, ...flags }) =>
    commitMove(context, (view) =>
      editTask(view, id, success ? { add_after_success: [dependency] } : { add_after: [dependency] }, {
        by: moverOf(context),
        unknown: unknownPolicy(flags),
      }),
    ),
});

export const removeDependency = operation({
  name: 'task.rm-dep',
  command: 'rm-dep',
  group: 'Tasks',
  kind: 'write',
  forRuns: 'own',
  instead: 'edit --remove-after',
  summary: 'Remove a dependency of a task',
  examples: ['troupe rm-dep run-the-tests write-the-parser', 'troupe rm-dep run-the-tests write-the-parser --json'],
  input: z.strictObject({
    id: TASK_ID,
    dependency: argument('The task it depended on', z.string(), { names: 'task' }),
  }),
  output: movedShape,
  run: (context: GraphContext, { id, dependency }) =>
    commitMove(context, (view) => editTask(view, id, { remove_after: [dependency] }, { by: moverOf(context) })),
});
