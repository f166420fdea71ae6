import * as z from 'zod/mini';
import { decidedProposal } from '#core/graph/evolve-review.js';
import { taskOf } from '#core/graph/task-of.js';
import type { ProjectContext } from '#operations/contexts.js';
import { operation } from '#operations/operation.js';
import { ACTOR, REASON, TASK_ID } from '#operations/options.js';
import { approveWork } from '#operations/review/approve.js';
import { movedShape } from '#operations/shapes.js';

/** Approves the work of a task, or the proposal that a review task decides about. */
export const approve = operation({
  name: 'task.approve',
  command: 'approve',
  group: 'Review',
  kind: 'write',
  forRuns: 'any',
  summary: 'Approve the work of a task that needs review',
  examples: ['troupe approve write-the-parser', 'troupe approve write-the-parser --actor ben --json'],
  input: z.strictObject({
    id: TASK_ID,
    reason: REASON,
    actor: ACTOR,
  }),
  output: movedShape,
  async run(context: ProjectContext, input) {
    const proposal = decidedProposal(taskOf(await (await context.graph()).view(), input.id));
    if (proposal === undefined) return await approveWork(context, input);
    const { decideByTask } = await import('#operations/agency/review.js');
    return await decideByTask(context, input.id, proposal, 'approve');
  },
});
