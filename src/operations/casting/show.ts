import * as z from 'zod/mini';
import { proposalSchema } from '#core/casting/proposal.js';
import { operation } from '#operations/operation.js';
import { openProposal } from './open-proposal.js';

export const show = operation({
  name: 'casting.show',
  input: z.strictObject({}),
  output: proposalSchema,
  run: (context) => openProposal(context),
});
