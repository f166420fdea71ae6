import { createHash } from 'node:crypto';
import { castable } from '#core/catalog/catalog.js';
import { compileCharter } from '#core/squad/charter.js';
import type { SquadTexts } from '#core/squad/file-change.js';
import { type SquadPlan, withChanges } from '#core/squad/file-change.js';
import { filesOutside } from '#core/squad/outputs.js';
import { castMembers, type RegistryRecord } from '#core/squad/registry.js';
import { refuseWrites } from '#core/squad/squad-state.js';
import { type CastMember, COORDINATOR, castLeader, castMember, inTeamOrder, teamUniverse } from '#core/squad/team.js';
import type { CastSnapshot } from '#core/squad/team-history.js';
import { TroupeError } from '#kernel/errors.js';
import { cut, inert } from '#kernel/text.js';
import { bespokeCharter, bespokeOf } from './bespoke.js';
import { ReservedNames } from './names.js';
import type { Pick } from './proposal.js';
import { INTENTS, type Intent, type Proposal } from './proposal.js';
import { resolvePicks } from './propose.js';
import { changeMoment, type RequestedMember, retireMember, settleMember, type TeamRequest } from './roster-change.js';
import { squadFileChanges } from './squad-changes.js';

export interface ConfirmRequest extends TeamRequest {
  readonly proposal: Proposal;
  readonly intent?: string | undefined;
  readonly leader?: string | undefined;
}

export interface ConfirmResult {
  readonly proposal_id: string;
  readonly snapshot_id: string;
  readonly intent: Intent;
  readonly universe: string;
  readonly leader: string;
  readonly added: readonly string[];
  readonly retired: readonly string[];
  /** Active team: cast members first, then built-in members. */
  readonly members: readonly CastMember[];
  /** Files of the team outside `.squad/`. */
  readonly outside: readonly string[];
}

const SNAPSHOT_MODE = { scenario: 'Scenario', manual: 'Manual', free_text: 'FreeText', analysis: 'Analysis' } as const;
const SNAPSHOT_INTENT = { new: 'New', augment: 'Augment', recast: 'Recast' } as const;

/**
 * Plans the files written when a proposal is confirmed. Only ids and names are taken from the proposal: charters and
 * titles are compiled from the catalog again, because a proposal is a file that can be edited. Confirming the same
 * proposal again is idempotent: it returns the same result and writes nothing.
 *
 * Errors: `intent_invalid`, `no_proposal` (expired), `team_changed`, `intent_mismatch`, `requires_choice`,
 * `name_clash`, `name_invalid`, `unknown_archetype`, `migration_required`, `charter_emoji`, `charter_hidden_text`,
 * `not_found` (leader).
 */
export function planConfirmation(request: ConfirmRequest): SquadPlan<ConfirmResult> {
  const requested = parseIntent(request.intent);
  const done = request.state.history.snapshots.find((snapshot) => snapshot.proposalId === request.proposal.proposal_id);
  if (done)
    return {
      changes: [],
      result: resultOf(request.proposal, done, request.state.registry.records, request.state.texts),
    };
  const intent = settleIntent(request, requested);
  refuseUnsafe(request, intent);

  const moment = changeMoment(request);
  const { texts, registry } = request.state;
  const active = castMembers(registry);
  const find = (name: string) => registry.records.find((record) => record.name.toLowerCase() === name.toLowerCase());
  const universe =
    intent === 'augment'
      ? (teamUniverse(registry, request.state.history) ?? request.proposal.universe)
      : request.proposal.universe;
  const proposed = proposedMembers(request, intent, universe);
  const joining = intent === 'augment' ? proposed.filter((member) => find(member.name)?.status !== 'Active') : proposed;
  const builtins = builtinMembers(request).filter((member) => find(member.name)?.status !== 'Active');
  const names = new Set(proposed.map((member) => member.name.toLowerCase()));
  const retiring = intent === 'augment' ? [] : active.filter((record) => !names.has(record.name.toLowerCase()));

  const changes = [
    ...[...joining, ...builtins].map((member) => settleMember(member, find(member.name), texts, moment)),
    ...retiring.map((record) => retireMember(record, texts, moment)),
  ];
  const added = joining.filter((member) => find(member.name)?.status !== 'Active').map((member) => member.name);
  const team = [
    ...(intent === 'augment' ? active.map((record) => record.name) : []),
    ...joining.map((member) => member.name),
    ...request.catalog.builtins.map((builtin) => builtin.name),
  ];
  const snapshot: CastSnapshot = {
    snapshotId: createHash('sha256')
      .update(`snapshot\0${request.proposal.proposal_id}`, 'utf8')
      .digest('hex')
      .slice(0, 32),
    proposalId: request.proposal.proposal_id,
    universe,
    mode: SNAPSHOT_MODE[request.proposal.mode],
    intent: SNAPSHOT_INTENT[intent],
    members: team,
    addedMembers: added,
    retiredMembers: retiring.map((record) => record.name),
    leader: settleLeader(request, intent, team),
    createdAt: moment.at,
    by: request.by,
  };
  const files = squadFileChanges({
    ...request,
    description: request.proposal.rationale,
    snapshot,
    members: changes,
    newcomers: [...added, ...builtins.map((member) => member.name)],
  });
  return {
    changes: files.changes,
    result: resultOf(request.proposal, snapshot, files.records, withChanges(request.state.texts, files.changes)),
  };
}

export function parseIntent(text: string | undefined): Intent | undefined {
  if (text === undefined) return undefined;
  const intent = INTENTS.find((one) => one === text);
  if (intent === undefined)
    throw new TroupeError('intent_invalid', { what: `Unknown intent: ${JSON.stringify(cut(inert(text), 40))}` });
  return intent;
}

function settleIntent(request: ConfirmRequest, requested: Intent | undefined): Intent {
  const { proposal, state } = request;
  if (Date.parse(proposal.expires_at) <= request.now) {
    throw new TroupeError('no_proposal', {
      what: 'The proposal has expired.',
      hint: 'Propose again: a proposal holds for 30 minutes.',
    });
  }
  if (proposal.base !== state.base) throw new TroupeError('team_changed');
  if (requested !== undefined && proposal.intent !== undefined && requested !== proposal.intent) {
    throw new TroupeError('intent_mismatch', {
      what: `The proposal was made for ${proposal.intent}, not for ${requested}.`,
    });
  }
  if (!state.teamPresent) return 'new';
  const intent = requested ?? proposal.intent;
  if (intent === undefined) {
    throw new TroupeError('requires_choice', {
      details: { intents: INTENTS, team: castMembers(state.registry).map((record) => record.name) },
    });
  }
  return intent;
}

function refuseUnsafe(request: ConfirmRequest, intent: Intent): void {
  const { registry, teamPresent } = request.state;
  refuseWrites(request.state);
  if (intent === 'augment' && teamPresent && castMembers(registry).length === 0) {
    throw new TroupeError('migration_required', {
      what: '.squad/team.md names members that the registry does not know.',
      hint: 'Confirm with --intent new to replace them.',
    });
  }
}

function proposedMembers(request: ConfirmRequest, intent: Intent, universe: string): RequestedMember[] {
  const picks = request.proposal.members.map((member): Pick => {
    const bespoke = bespokeOf(member);
    return { archetypeId: member.role.id, reason: member.justification, ...(bespoke ? { bespoke } : {}) };
  });
  const archetypes = resolvePicks(request.catalog, picks);
  const names = new ReservedNames(request.catalog.builtins.map((builtin) => builtin.name));
  return request.proposal.members.flatMap((member, index) => {
    const archetype = archetypes[index];
    if (!archetype) return [];
    const name = intent === 'augment' ? (member.augment_name ?? member.proposed_name) : member.proposed_name;
    if (names.has(name))
      throw new TroupeError('name_invalid', {
        what: `The name ${JSON.stringify(cut(inert(name), 60))} is taken.`,
        hint: 'Choose another with the flag --name of `troupe cast amend`.',
      });
    names.take(name);
    const bespoke = picks[index]?.bespoke;
    const charter = bespoke
      ? bespokeCharter(name, bespoke)
      : compileCharter(name, archetype, request.templates.get(archetype.id));
    return [{ name, archetype, universe, charter }];
  });
}

function builtinMembers(request: ConfirmRequest): RequestedMember[] {
  return request.catalog.builtins.flatMap(({ name, archetype: id }) => {
    const archetype = request.catalog.archetypes.get(id);
    return archetype ? [{ name, archetype, charter: compileCharter(name, archetype, request.templates.get(id)) }] : [];
  });
}

/**
 * Returns the leader of the confirmed team: the requested leader; otherwise the present leader if the team is
 * augmented, or recast with a leader other than the Coordinator who stays; otherwise the first proposed member whose
 * archetype can lead, existing members before newcomers; otherwise the Coordinator.
 */
function settleLeader(request: ConfirmRequest, intent: Intent, team: readonly string[]): string {
  if (request.leader !== undefined) {
    const lowerCase = request.leader.trim().toLowerCase();
    const leader = team.find((name) => name.toLowerCase() === lowerCase);
    if (leader !== undefined) return leader;
    throw new TroupeError('not_found', {
      what: `${JSON.stringify(cut(inert(request.leader), 60))} is not on this team.`,
      hint: `Members: ${team.join(', ')}.`,
    });
  }
  const present = castLeader(request.state.registry, request.state.history);
  // A newcomer never replaces the present leader, even if that is the Coordinator.
  if (intent === 'augment') return present;
  if (intent === 'recast' && present !== COORDINATOR && team.includes(present)) return present;
  const here = new Set(castMembers(request.state.registry).map(({ name }) => name));
  const able = request.proposal.members
    .filter((member) => castable(request.catalog, member.role.id)?.leads)
    .map((member) => member.proposed_name);
  return able.find((name) => here.has(name)) ?? able[0] ?? COORDINATOR;
}

function resultOf(
  proposal: Proposal,
  snapshot: CastSnapshot,
  records: readonly RegistryRecord[],
  texts: SquadTexts,
): ConfirmResult {
  return {
    proposal_id: proposal.proposal_id,
    snapshot_id: snapshot.snapshotId ?? '',
    intent: INTENTS.find((intent) => SNAPSHOT_INTENT[intent] === snapshot.intent) ?? 'new',
    universe: snapshot.universe,
    leader: snapshot.leader ?? COORDINATOR,
    added: snapshot.addedMembers ?? [],
    retired: snapshot.retiredMembers ?? [],
    members: inTeamOrder(records)
      .filter((record) => record.status === 'Active')
      .map(castMember),
    outside: filesOutside(texts),
  };
}
