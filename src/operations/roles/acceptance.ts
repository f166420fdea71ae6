import { recordText } from '#core/agency/entity-text.js';
import type { EventDraft } from '#core/graph/event.js';
import { successorRoles } from '#core/roles/agency-link.js';
import { parseCore } from '#core/roles/core-file.js';
import { type IdentityProposal, identityBefore, proposalIn } from '#core/roles/identity.js';
import { coreFile } from '#core/roles/role-paths.js';
import { timestamp } from '#kernel/clock.js';
import { isRefusal, TroupeError } from '#kernel/errors.js';
import { changeAgency } from '#operations/agency/open.js';
import { agencyEvent, makerOf } from '#operations/agency/shapes.js';
import type { MachineContext, WorkContext } from '#operations/contexts.js';
import type { Caller } from '#ports/callers.js';
import type { RoleProposalRecord, RoleProposals, RoleTexts } from '#ports/role-files.js';

/** All valid proposals, and warnings for unreadable ones. */
export function readableProposals({ records, warnings }: RoleProposals) {
  return { all: records.flatMap(({ id, value }) => proposalIn(id, value) ?? []), warnings };
}

/** Record and event of a decision about a proposal. */
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

/**
 * Updates the agency after accepted proposals: the previous role is found or created, and the new one becomes its
 * child.
 */
export async function followAccepted(
  context: (caller: Caller) => WorkContext & MachineContext,
  written: readonly RoleProposalRecord[],
  texts: RoleTexts,
): Promise<void> {
  for (const { id, value } of written) {
    const proposal = proposalIn(id, value);
    if (proposal?.state !== 'accepted') continue;
    try {
      await linkToAgency(context({ kind: 'person', name: proposal.decided_by ?? '' }), proposal, texts);
    } catch (error) {
      // The file was edited by hand since, and is not a valid role for an agency. A retry would block all later
      // changes.
      if (!isRefusal(error, 'bad_input') && !isRefusal(error, 'too_large')) throw error;
    }
  }
}

async function linkToAgency(
  context: WorkContext & MachineContext,
  proposal: IdentityProposal,
  texts: RoleTexts,
): Promise<void> {
  const source = texts.get(coreFile(proposal.role));
  if (source === undefined) return; // the role was removed since: there is nothing to link
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
  throw new TroupeError('role_not_found', { what: `There is no ${coreFile(role)}.`, hint: 'Run `troupe roles show`.' });
}
