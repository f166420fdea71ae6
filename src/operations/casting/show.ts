import * as z from 'zod/mini';
import { proposalSchema } from '#core/casting/proposal.js';
import { operation } from '#operations/operation.js';
import { openProposal } from './open-proposal.js';
import { text } from './shapes.js';

export const show = operation({
  name: 'casting.show',
  input: z.strictObject({ proposal_id: text }),
  output: proposalSchema,
  run: (context, input) => openProposal(context, input.proposal_id),
});
