import path from 'node:path';
import * as z from 'zod/mini';
import { planConfirmation } from '#core/casting/confirm.js';
import { TroupeError } from '#kernel/errors.js';
import { operation } from '#operations/operation.js';
import { templatesOf } from './draft.js';
import { confirmedShape, text } from './shapes.js';

/** Makes the proposal the team, or part of it. The one operation that writes the team. */
export const confirm = operation({
  name: 'casting.confirm',
  input: z.strictObject({ intent: text, leader: text }),
  output: confirmedShape,
  async run(context, wish) {
    const [source, squad] = await Promise.all([context.catalog(), context.squad()]);
    const [catalog, policyText, seen] = await Promise.all([source.load(), source.policyText(), squad.proposal()]);
    if (!seen) throw new TroupeError('no_proposal');
    // Read before the lock is taken: nobody waits for our templates.
    const templates = await templatesOf(source, [
      ...seen.members.map((member) => member.role.id),
      ...catalog.builtins.map((builtin) => builtin.archetype),
    ]);
    return await squad.apply((state, proposal) => {
      if (proposal?.proposal_id !== seen.proposal_id)
        throw new TroupeError(proposal ? 'proposal_superseded' : 'no_proposal');
      return planConfirmation({
        ...wish,
        proposal,
        state,
        catalog,
        templates,
        policyText,
        project: path.basename(context.projectFolder),
        now: context.clock.now(),
        by: context.caller.name,
        freshId: () => context.freshId(),
      });
    });
  },
});
