import { recordText } from '#core/agency/entity-text.js';
import type { EventDraft } from '#core/graph/event.js';
import { successorRoles } from '#core/lanes/agency-link.js';
import { parseCore } from '#core/lanes/core-file.js';
import { type IdentityProposal, identityBefore, proposalIn } from '#core/lanes/identity.js';
import { coreFile } from '#core/lanes/role-paths.js';
import { timestamp } from '#kernel/clock.js';
import { isRefusal, TroupeError } from '#kernel/errors.js';
import { changeAgency } from '#operations/agency/open.js';
import { agencyEvent, makerOf } from '#operations/agency/shapes.js';
import type { Context } from '#operations/operation.js';
import type { Caller } from '#ports/callers.js';
import type { RoleProposalRecord, RoleProposals, RoleTexts } from '#ports/role-files.js';

/** All proposals that are ours, and what could not be read of them. */
export function readableProposals({ records, warnings }: RoleProposals) {
  return { all: records.flatMap(({ id, value }) => proposalIn(id, value) ?? []), warnings };
}

/** The record and the event of a decision about a proposal. */
export function decisionOf(
  proposal: IdentityProposal,
  state: 'accepted' | 'rejected',
  { by, now }: { readonly by: string; readonly now: number },
): { readonly proposals: ReadonlyMap<string, string>; readonly events: readonly EventDraft[] } {
  const { id, role, section, base } = proposal;
  const detail = { id, role, section, base, text: proposal.text, by: proposal.by };
  const event = { op: state === 'accepted' ? 'role_accept' : 'role_reject', actor: by, detail, patch: [] };
  const decided = { ...proposal, state, decided_by: by, decided_at: timestamp(now) };
  return { proposals: new Map([[id, recordText(decided)]]), events: [event] };
}

/** Brings the agency in line with the proposals that were accepted: the role as it was is there or is made, and the role as it is now is its child. */
export async function followAccepted(
  context: (caller: Caller) => Context,
  written: readonly RoleProposalRecord[],
  texts: RoleTexts,
): Promise<void> {
  for (const { id, value } of written) {
    const proposal = proposalIn(id, value);
    if (proposal?.state !== 'accepted') continue;
    try {
      await linkToAgency(context({ kind: 'person', name: proposal.decided_by ?? '' }), proposal, texts);
    } catch (error) {
      // A hand was there since, and what it wrote is no role of an agency. To try again would hold up every change after it.
      if (!isRefusal(error, 'bad_input') && !isRefusal(error, 'too_large')) throw error;
    }
  }
}

async function linkToAgency(context: Context, proposal: IdentityProposal, texts: RoleTexts): Promise<void> {
  const source = texts.get(coreFile(proposal.role));
  if (source === undefined) return; // somebody removed it since: there is no role to be a child
  const maker = await makerOf(context);
  const { role: now } = parseCore(proposal.role, source);
  const elder = identityBefore(proposal, now);
  await changeAgency(context, (agency) => {
    const entities = successorRoles(agency, elder, now, maker);
    return {
      entities,
      events: entities.map((entity) => agencyEvent(context, 'agency_add', entity)),
      result: undefined,
    };
  });
}

export function sourceOf(texts: ReadonlyMap<string, string>, role: string): string {
  const source = texts.get(coreFile(role));
  if (source !== undefined) return source;
  throw new TroupeError('role_not_found', { what: `There is no ${coreFile(role)}.`, hint: 'Run `troupe roles list`.' });
}
