import * as z from 'zod/mini';
import { TroupeError } from '#kernel/errors.js';
import { operation } from '#operations/operation.js';
import { text } from './casting-shapes.js';
import { openProposal } from './open-proposal.js';

export const reject = operation({
  name: 'casting.reject',
  input: z.strictObject({ proposal_id: text }),
  output: z.object({ proposal_id: z.string() }),
  async run(context, input) {
    const { proposal_id } = await openProposal(context, input.proposal_id);
    const squad = await context.squad();
    // Somebody may have put another in its place while we looked; that one was not rejected.
    if (!(await squad.dropProposal(proposal_id))) throw new TroupeError('proposal_superseded');
    return { proposal_id };
  },
});
