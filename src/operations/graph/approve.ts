import { decidedProposal } from '#core/graph/evolve-review.js';
import { taskOf } from '#core/graph/task-of.js';
import { approve as approveWork } from '#operations/review/approve.js';

/** Approves the work of a task, or the proposal that a review task decides about. */
export const approve: typeof approveWork = {
  ...approveWork,
  async run(context, input) {
    const proposal = decidedProposal(taskOf(await (await context.graph()).view(), input.id));
    if (proposal === undefined) return await approveWork.run(context, input);
    const { decideByTask } = await import('#operations/evolution/review.js');
    return await decideByTask(context, input.id, proposal, 'approve');
  },
};
