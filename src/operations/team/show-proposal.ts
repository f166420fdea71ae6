import * as z from 'zod/mini';
import { proposalSchema } from '#core/team/proposal.js';
import { operation } from '#operations/operation.js';
import { text } from './casting-shapes.js';
import { openProposal } from './open-proposal.js';

export const show = operation({
  name: 'casting.show',
  input: z.strictObject({ proposal_id: text }),
  output: proposalSchema,
  run: (context, input) => openProposal(context, input.proposal_id),
});
