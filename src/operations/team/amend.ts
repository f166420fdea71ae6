import * as z from 'zod/mini';
import { amendProposal } from '#core/team/amend.js';
import { membersAfter } from '#core/team/amend-words.js';
import { proposalSchema } from '#core/team/proposal.js';
import { TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';
import { operation } from '#operations/operation.js';
import { text, texts } from './casting-shapes.js';
import { templatesOf } from './draft.js';
import { openProposal } from './proposals.js';

const memberShape = z.strictObject({ archetype_id: z.string(), proposed_name: text, charter_markdown: text });

/**
 * Changes the open proposal: all its members at once, or by words on the command line. Who is looked at, and whose
 * charters are read, is settled before the lock is taken.
 */
export const amend = operation({
  name: 'casting.amend',
  input: z.strictObject({
    universe: text,
    members: z.optional(z.array(memberShape).check(z.maxLength(LIMITS.membersAtOnce))),
    add: texts,
    drop: texts,
    name: texts,
    revision: z.optional(z.number()),
    proposal_id: text,
  }),
  output: proposalSchema,
  async run(context, { universe, members, revision, proposal_id: id, ...words }) {
    const typed = [words.add, words.drop, words.name].some((list) => list !== undefined);
    if (universe === undefined && members === undefined && !typed) {
      throw new TroupeError('bad_input', {
        what: 'Nothing is said to change.',
        hint: 'Say --add, --drop, --name or --universe.',
      });
    }
    if (members !== undefined && typed)
      throw new TroupeError('bad_input', { what: 'Say all members, or what changes; not both.' });
    const [source, squad, seen] = await Promise.all([context.catalog(), context.squad(), openProposal(context, id)]);
    const wanted = typed ? membersAfter(seen, words) : members;
    const catalog = await source.load();
    const templates = await templatesOf(
      source,
      (wanted ?? seen.members.map((member) => ({ archetype_id: member.role.id }))).map((line) => line.archetype_id),
    );
    return await squad.amendProposal((state, proposal) => {
      if (proposal?.proposal_id !== seen.proposal_id)
        throw new TroupeError(proposal ? 'proposal_superseded' : 'no_proposal');
      // Words were understood on the proposal as it was seen, so they count for no other.
      const decidedOn = revision ?? (typed ? seen.revision : undefined);
      const now = context.clock.now();
      return amendProposal({
        proposal,
        state,
        catalog,
        templates,
        universe,
        members: wanted,
        revision: decidedOn,
        now,
      });
    });
  },
});
