/**
 * `cast … team … member …`: a team proposed, changed, confirmed, checked; `memory … decision … inbox … session …`.
 * @packageDocumentation
 */
import * as z from 'zod/mini';
import type { Bridge } from '#core/team/bridge.js';
import { planConfirmation } from '#core/team/confirm.js';
import type { ClientFiles } from '#core/team/outputs.js';
import type { Proposal } from '#core/team/proposal.js';
import type { SquadState } from '#core/team/squad-state.js';
import { TroupeError } from '#kernel/errors.js';
import { bridged, withBridge } from '#operations/agency/bridge.js';
import { operation } from '#operations/operation.js';
import type { TeamNews } from '#ports/squad-files.js';
import { confirmedWithTasksShape, text, warningShape } from './casting-shapes.js';
import { clientFilesOf } from './client-files.js';
import { templatesOf } from './draft.js';
import { outsideWishes, refuseUnexpected } from './outside-files.js';
import { withSeeds } from './seed-memory.js';
import { earlierAnswer } from './team-log.js';
import { teamWishOf } from './team-wish.js';

/** Makes the proposal the team, or part of it. The one operation that writes the team. */
export const confirm = operation({
  name: 'casting.confirm',
  input: z.strictObject({
    intent: text,
    leader: text,
    proposal_id: text,
    revision: z.optional(z.number()),
    ...outsideWishes,
  }),
  output: z.extend(confirmedWithTasksShape, { warnings: z.readonly(z.array(warningShape)) }),
  async run(context, { proposal_id: id, revision, clients, outside, ...wish }) {
    const [source, squad, clientFiles] = await Promise.all([
      context.catalog(),
      context.squad(),
      clientFilesOf(context, clients),
    ]);
    const [catalog, policyText, seen] = await Promise.all([source.load(), source.policyText(), squad.proposal()]);
    if (!seen || (id !== undefined && seen.proposal_id !== id)) throw new TroupeError('no_proposal');
    // Read before the lock is taken: nobody waits for our templates.
    const templates = await templatesOf(source, [
      ...seen.members.map((member) => member.role.id),
      ...catalog.builtins.map((builtin) => builtin.archetype),
    ]);
    const decide = (bridge: Bridge) => (state: SquadState, proposal: Proposal | undefined) => {
      if (proposal?.proposal_id !== seen.proposal_id)
        throw new TroupeError(proposal ? 'proposal_superseded' : 'no_proposal');
      // Whoever confirms has read charters and names: what changed since then was not agreed to.
      if (proposal.revision !== (revision ?? seen.revision)) throw new TroupeError('proposal_changed');
      const planned = (files: ClientFiles) =>
        bridged(
          bridge,
          planConfirmation({
            ...wish,
            ...teamWishOf(context, { state, catalog, templates, policyText, clientFiles: files }),
            proposal,
            agentFor: (archetype) => bridge.agentFor(archetype),
          }),
        );
      const plan = planned(clientFiles);
      refuseUnexpected(outside, plan, clientFiles, () => planned('wanted'));
      return plan;
    };
    let news: TeamNews | undefined;
    const heard = (told: TeamNews) => {
      news = told;
    };
    const result = await withBridge(context, (bridge) => squad.apply(decide(bridge), heard));
    const { tasks } = news ?? (await earlierAnswer(context, result.snapshot_id));
    return await withSeeds(context, { ...result, tasks: [...tasks] });
  },
});
