import { createHash } from 'node:crypto';
import { castable } from '#core/catalog/catalog.js';
import { TroupeError } from '#kernel/errors.js';
import { cut, inert } from '#kernel/text.js';
import { bespokeCharter, bespokeOf } from './bespoke.js';
import { compileCharter } from './charter.js';
import type { SquadTexts } from './file-change.js';
import { type SquadPlan, withChanges } from './file-change.js';
import { TakenNames } from './names.js';
import { filesOutside } from './outputs.js';
import type { Pick } from './proposal.js';
import { INTENTS, type Intent, type Proposal } from './proposal.js';
import { resolvePicks } from './propose.js';
import { castMembers, type RegistryRecord } from './registry.js';
import { momentOf, type RequestedMember, retireMember, settleMember, type TeamWish } from './roster-change.js';
import { squadFileChanges } from './squad-changes.js';
import { refuseWrites } from './squad-state.js';
import { COORDINATOR, inTeamOrder, leaderOf, memberOf, type TeamMember, teamUniverse } from './team.js';
import type { CastSnapshot } from './team-history.js';

export interface ConfirmWish extends TeamWish {
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
  /** The active team: those cast first, then the built-in ones. */
  readonly members: readonly TeamMember[];
  /** What of the team lies outside of `.squad/`. */
  readonly outside: readonly string[];
}

const SNAPSHOT_MODE = { scenario: 'Scenario', manual: 'Manual', free_text: 'FreeText', analysis: 'Analysis' } as const;
const SNAPSHOT_INTENT = { new: 'New', augment: 'Augment', recast: 'Recast' } as const;

/**
 * What confirming a proposal writes. Only ids and names are taken from the proposal: charters and titles come from the
 * catalog again, because a proposal is a file and a file can be edited. A proposal that was confirmed before answers
 * the same and writes nothing.
 *
 * Errors: `intent_invalid`, `no_proposal` (expired), `team_changed`, `intent_mismatch`, `requires_choice`, `name_clash`,
 * `name_invalid`, `unknown_archetype`, `migration_required`, `charter_emoji`, `charter_hidden_text`, `not_found` (leader).
 */
export function planConfirmation(wish: ConfirmWish): SquadPlan<ConfirmResult> {
  const requested = parseIntent(wish.intent);
  const done = wish.state.history.snapshots.find((snapshot) => snapshot.proposalId === wish.proposal.proposal_id);
  if (done)
    return { changes: [], result: resultOf(wish.proposal, done, wish.state.registry.records, wish.state.texts) };
  const intent = settleIntent(wish, requested);
  refuseUnsafe(wish, intent);

  const moment = momentOf(wish);
  const { texts, registry } = wish.state;
  const active = castMembers(registry);
  const find = (name: string) => registry.records.find((record) => record.name.toLowerCase() === name.toLowerCase());
  const universe =
    intent === 'augment'
      ? (teamUniverse(registry, wish.state.history) ?? wish.proposal.universe)
      : wish.proposal.universe;
  const proposed = proposedMembers(wish, intent, universe);
  const joining = intent === 'augment' ? proposed.filter((member) => find(member.name)?.status !== 'Active') : proposed;
  const builtins = builtinMembers(wish).filter((member) => find(member.name)?.status !== 'Active');
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
    ...wish.catalog.builtins.map((builtin) => builtin.name),
  ];
  const snapshot: CastSnapshot = {
    snapshotId: createHash('sha256')
      .update(`snapshot\0${wish.proposal.proposal_id}`, 'utf8')
      .digest('hex')
      .slice(0, 32),
    proposalId: wish.proposal.proposal_id,
    universe,
    mode: SNAPSHOT_MODE[wish.proposal.mode],
    intent: SNAPSHOT_INTENT[intent],
    members: team,
    addedMembers: added,
    retiredMembers: retiring.map((record) => record.name),
    leader: settleLeader(wish, intent, team),
    createdAt: moment.at,
    by: wish.by,
  };
  const files = squadFileChanges({
    ...wish,
    description: wish.proposal.rationale,
    snapshot,
    members: changes,
    newcomers: [...added, ...builtins.map((member) => member.name)],
  });
  return {
    changes: files.changes,
    result: resultOf(wish.proposal, snapshot, files.records, withChanges(wish.state.texts, files.changes)),
  };
}

export function parseIntent(text: string | undefined): Intent | undefined {
  if (text === undefined) return undefined;
  const intent = INTENTS.find((one) => one === text);
  if (intent === undefined)
    throw new TroupeError('intent_invalid', { what: `Unknown intent: ${JSON.stringify(cut(inert(text), 40))}` });
  return intent;
}

function settleIntent(wish: ConfirmWish, requested: Intent | undefined): Intent {
  const { proposal, state } = wish;
  if (Date.parse(proposal.expires_at) <= wish.now) {
    throw new TroupeError('no_proposal', {
      what: 'The proposal has expired.',
      hint: 'Propose again: a proposal holds for 30 minutes.',
    });
  }
  if (proposal.base !== state.base) throw new TroupeError('team_changed');
  if (requested !== undefined && proposal.intent !== undefined && requested !== proposal.intent) {
    throw new TroupeError('intent_mismatch', {
      what: `The proposal was made to ${proposal.intent}, not to ${requested}.`,
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

function refuseUnsafe(wish: ConfirmWish, intent: Intent): void {
  const { registry, teamPresent } = wish.state;
  refuseWrites(wish.state);
  if (intent === 'augment' && teamPresent && castMembers(registry).length === 0) {
    throw new TroupeError('migration_required', {
      what: '.squad/team.md names members that the registry does not know.',
      hint: 'Confirm with --intent new to replace them.',
    });
  }
}

function proposedMembers(wish: ConfirmWish, intent: Intent, universe: string): RequestedMember[] {
  const picks = wish.proposal.members.map((member): Pick => {
    const bespoke = bespokeOf(member);
    return { archetypeId: member.role.id, reason: member.justification, ...(bespoke ? { bespoke } : {}) };
  });
  const archetypes = resolvePicks(wish.catalog, picks);
  const names = new TakenNames(wish.catalog.builtins.map((builtin) => builtin.name));
  return wish.proposal.members.flatMap((member, index) => {
    const archetype = archetypes[index];
    if (!archetype) return [];
    const name = intent === 'augment' ? (member.augment_name ?? member.proposed_name) : member.proposed_name;
    if (names.has(name))
      throw new TroupeError('name_invalid', { what: `The name ${JSON.stringify(cut(inert(name), 60))} is taken.` });
    names.take(name);
    const bespoke = picks[index]?.bespoke;
    const charter = bespoke
      ? bespokeCharter(name, bespoke)
      : compileCharter(name, archetype, wish.templates.get(archetype.id));
    return [{ name, archetype, universe, charter }];
  });
}

function builtinMembers(wish: ConfirmWish): RequestedMember[] {
  return wish.catalog.builtins.flatMap(({ name, archetype: id }) => {
    const archetype = wish.catalog.archetypes.get(id);
    return archetype ? [{ name, archetype, charter: compileCharter(name, archetype, wish.templates.get(id)) }] : [];
  });
}

/** The named one; else, when a team only grows, who leads it now; else the first proposed who can; else the Coordinator. */
function settleLeader(wish: ConfirmWish, intent: Intent, team: readonly string[]): string {
  if (wish.leader !== undefined) {
    const lowerCase = wish.leader.trim().toLowerCase();
    const leader = team.find((name) => name.toLowerCase() === lowerCase);
    if (leader !== undefined) return leader;
    throw new TroupeError('not_found', {
      what: `${JSON.stringify(cut(inert(wish.leader), 60))} is not on this team.`,
      hint: `On it: ${team.join(', ')}.`,
    });
  }
  const present = leaderOf(wish.state.registry, wish.state.history);
  if (intent === 'augment' && present !== COORDINATOR) return present;
  const first = wish.proposal.members.find((member) => castable(wish.catalog, member.role.id)?.leads);
  if (!first) return COORDINATOR;
  return intent === 'augment' ? (first.augment_name ?? first.proposed_name) : first.proposed_name;
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
      .map(memberOf),
    outside: filesOutside(texts),
  };
}
