import type { Proposal } from '#core/team/proposal.js';
import { TroupeError } from '#kernel/errors.js';
import type { Context } from '#operations/operation.js';

/**
 * The proposal that waits to be confirmed; `no_proposal` when there is none, when it expired, when it was confirmed or
 * when it is not the one that was asked for.
 */
export async function openProposal(context: Context, id?: string): Promise<Proposal> {
  const squad = await context.squad();
  const proposal = await squad.proposal();
  if (!proposal || (id !== undefined && proposal.proposal_id !== id)) throw new TroupeError('no_proposal');
  if (Date.parse(proposal.expires_at) <= context.clock.now()) {
    throw new TroupeError('no_proposal', {
      what: 'The proposal has expired.',
      hint: 'Propose again: a proposal holds for 30 minutes.',
    });
  }
  const { history } = await squad.read();
  if (history.snapshots.some((snapshot) => snapshot.proposalId === proposal.proposal_id)) {
    throw new TroupeError('no_proposal', { what: 'The last proposal was confirmed.', hint: 'Run `troupe team show`.' });
  }
  return proposal;
}
