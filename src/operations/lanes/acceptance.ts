import { recordText } from '#core/agency/entity-text.js';
import { successorRoles } from '#core/lanes/agency-link.js';
import { parseCore } from '#core/lanes/core-file.js';
import { type IdentityProposal, identityBefore, proposalIn, withProposal } from '#core/lanes/identity.js';
import { coreFile } from '#core/lanes/role-paths.js';
import { IDENTITY_WRITER } from '#core/lanes/writers.js';
import { timestamp } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { changeAgency } from '#operations/agency/open.js';
import { agencyEvent, makerOf } from '#operations/agency/shapes.js';
import type { Context } from '#operations/operation.js';
import type { RoleChangeUnderWay } from '#ports/role-records.js';

/** All proposals, and what could not be read of them. */
export async function proposalsIn(context: Pick<Context, 'roleRecords'>) {
  const { records, warnings } = await (await context.roleRecords()).proposals();
  return { all: records.flatMap(({ id, value }) => proposalIn(id, value) ?? []), warnings };
}

/**
 * The file, the agency, the record and its event, each only where it is not done yet: whoever is killed in between is gone on from by
 * the next. Errors: `proposal_stale`, before anything is written.
 */
export async function finishAcceptance(
  context: Context,
  { proposal: id, by }: Extract<RoleChangeUnderWay, { kind: 'acceptance' }>,
): Promise<void> {
  const proposal = (await proposalsIn(context)).all.find((one) => one.id === id && one.state === 'open');
  if (!proposal) return;
  const { role } = proposal;
  const after = await (await context.roleFiles()).write(IDENTITY_WRITER, (texts) => {
    const source = sourceOf(texts, role);
    const text = withProposal(proposal, source);
    return { texts: new Map(text === source ? [] : [[coreFile(role), text]]), result: text };
  });
  await linkToAgency(context, proposal, after);
  await decided(context, proposal, 'accepted', by);
}

/** Who the role was is there or is made, and who it is now is its child. */
async function linkToAgency(context: Context, proposal: IdentityProposal, source: string): Promise<void> {
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

export async function decided(
  context: Pick<Context, 'clock' | 'graph' | 'roleRecords'>,
  proposal: IdentityProposal,
  state: 'accepted' | 'rejected',
  by: string,
): Promise<void> {
  const { id, role, section, base } = proposal;
  const detail = { id, role, section, base, text: proposal.text, by: proposal.by };
  const event = { op: state === 'accepted' ? 'role_accept' : 'role_reject', actor: by, detail, patch: [] };
  const request = { requestId: `role-proposal:${id}:${proposal.at}:${state}` };
  await (await context.graph()).commit(() => ({ events: [event], result: undefined }), request);
  const done = { ...proposal, state, decided_by: by, decided_at: timestamp(context.clock.now()) };
  await (await context.roleRecords()).keepProposal(id, recordText(done));
}

export function sourceOf(texts: ReadonlyMap<string, string>, role: string): string {
  const source = texts.get(coreFile(role));
  if (source !== undefined) return source;
  throw new TroupeError('role_not_found', { what: `There is no ${coreFile(role)}.`, hint: 'Run `troupe roles list`.' });
}
