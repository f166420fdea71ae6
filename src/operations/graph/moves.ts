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
import { operation } from '#operations/operation.js';
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

export const claim = operation({
  name: 'task.claim',
  input: z.strictObject({ id: z.string(), actor: text, force: flag }),
  output: z.extend(movedShape, { fence: z.number() }),
  run: (context, input) =>
    commitMove(context, (view) =>
      claimTask(view, input.id, { ...moveOptions(context, input), force: personForces(context, input.force) }),
    ),
});

export const unclaim = operation({
  name: 'task.unclaim',
  input: z.strictObject({ id: z.string(), reason: text, actor: text }),
  output: movedShape,
  async run(context, input) {
    await settleFirst(context, input.id);
    return await commitMove(context, (view) => unclaimTask(view, input.id, moveOptions(context, input)));
  },
});

export const fail = operation({
  name: 'task.fail',
  input: z.strictObject({ id: z.string(), reason: text, eval_reject: flag, actor: text }),
  output: movedShape,
  async run(context, input) {
    await settleFirst(context, input.id);
    return await commitMove(context, (view) =>
      failTask(view, input.id, { ...moveOptions(context, input), rejected: input.eval_reject }),
    );
  },
});

export const abandon = operation({
  name: 'task.abandon',
  input: z.strictObject({ id: z.string(), reason: text, superseded_by: texts, actor: text }),
  output: movedShape,
  run: (context, input) =>
    commitMove(context, (view) =>
      abandonTask(view, input.id, { ...moveOptions(context, input), superseded_by: input.superseded_by }),
    ),
});

export const retry = operation({
  name: 'task.retry',
  input: z.strictObject({ id: z.string(), reason: text, actor: text, fresh: flag }),
  output: movedShape,
  run: (context, input) =>
    commitMove(context, (view) => retryTask(view, input.id, { ...moveOptions(context, input), fresh: input.fresh })),
});

export const reclaim = operation({
  name: 'task.reclaim',
  input: z.strictObject({ id: z.string(), from: z.string(), to: z.string(), reason: text }),
  output: z.extend(movedShape, { fence: z.number() }),
  async run(context, input) {
    await settleFirst(context, input.id);
    return await commitMove(context, (view) =>
      reclaimTask(view, input.id, { ...moveOptions(context, input), from: input.from, to: input.to }),
    );
  },
});

const HOUR_MS = 3_600_000;

export const reschedule = operation({
  name: 'task.reschedule',
  input: z.strictObject({ id: z.string(), after: z.optional(z.number().check(z.minimum(0))), at: text, reason: text }),
  output: movedShape,
  run(context, input) {
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
  input: z.strictObject({ id: z.string(), reason: text, actor: text }),
  output: movedShape,
  run: (context, input) => commitMove(context, (view) => blockTask(view, input.id, moveOptions(context, input))),
});

export const reopen = operation({
  name: 'task.reopen',
  input: z.strictObject({ id: z.string(), reason: text, actor: text }),
  output: movedShape,
  run: (context, input) => commitMove(context, (view) => reopenTask(view, input.id, moveOptions(context, input))),
});

export const pause = operation({
  name: 'task.pause',
  input: z.strictObject({ id: z.string(), reason: text, actor: text }),
  output: movedShape,
  run: (context, input) => commitMove(context, (view) => pauseTask(view, input.id, moveOptions(context, input))),
});

export const resume = operation({
  name: 'task.resume',
  input: z.strictObject({ id: z.string(), only: flag, reason: text, actor: text }),
  output: z.extend(movedShape, { resumed: z.readonly(z.array(z.string())) }),
  run: (context, input) =>
    commitMove(context, (view) => resumeTask(view, input.id, { ...moveOptions(context, input), only: input.only })),
});

export const publish = operation({
  name: 'task.publish',
  input: z.strictObject({ id: z.string(), only: flag, reason: text, actor: text }),
  output: z.extend(movedShape, { resumed: z.readonly(z.array(z.string())) }),
  run: (context, input) =>
    commitMove(context, (view) => publishTask(view, input.id, { ...moveOptions(context, input), only: input.only })),
});

export const reject = operation({
  name: 'task.reject',
  input: z.strictObject({ id: z.string(), reason: z.string(), actor: text }),
  output: movedShape,
  async run(context, input) {
    const view = await (await context.graph()).view();
    const task = taskOf(view, input.id);
    if (isTeamTask(task)) {
      const { checkTeamVerdict } = await import('#operations/review/team-verdict.js');
      await checkTeamVerdict(context, view, task, moverOf(context, input.actor));
    }
    const proposal = decidedProposal(task);
    if (proposal !== undefined) {
      const { decideByTask } = await import('#operations/evolution/review.js');
      return await decideByTask(context, input.id, proposal, 'reject');
    }
    return commitMove(context, (now) =>
      rejectTask(now, input.id, { ...moveOptions(context, input), reason: input.reason }),
    );
  },
});

export const wait = operation({
  name: 'task.wait',
  input: z.strictObject({ id: z.string(), until: z.string(), checkpoint: text, reason: text, actor: text }),
  output: movedShape,
  async run(context, input) {
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
  input: z.strictObject({ id: z.string(), dependency: z.string(), success: flag, allow_missing: flag }),
  output: movedShape,
  run: (context, { id, dependency, success, ...flags }) =>
    commitMove(context, (view) =>
      editTask(view, id, success ? { add_after_success: [dependency] } : { add_after: [dependency] }, {
        by: moverOf(context),
        unknown: unknownPolicy(flags),
      }),
    ),
});

export const removeDependency = operation({
  name: 'task.rm-dep',
  input: z.strictObject({ id: z.string(), dependency: z.string() }),
  output: movedShape,
  run: (context, { id, dependency }) =>
    commitMove(context, (view) => editTask(view, id, { remove_after: [dependency] }, { by: moverOf(context) })),
});
