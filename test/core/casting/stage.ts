import { type ConfirmRequest, planConfirmation } from '#core/casting/confirm.js';
import type { Proposal } from '#core/casting/proposal.js';
import { buildProposal, type ProposalRequest } from '#core/casting/propose.js';
import type { TeamRequest } from '#core/casting/roster-change.js';
import { withChanges } from '#core/squad/file-change.js';
import { readSquadState, type SquadState } from '#core/squad/squad-state.js';
import type { FileChange } from '#kernel/file-change.js';
import { NO_SQUAD, smallCatalog } from './small-catalog.js';

export const NOW = Date.parse('2026-07-01T10:00:00.000Z');
export const catalog = smallCatalog();
export const templates = new Map([['writer', '# {Name} — {Role Title}\n\n{Role summary}\n']]);

let counter = 0;
const freshId = () => `id-${++counter}`;

export function propose(archetypeIds: readonly string[], wish: Partial<ProposalRequest> = {}): Proposal {
  return buildProposal({
    mode: 'manual',
    method: 'catalog',
    rationale: 'For a test.',
    picks: archetypeIds.map((archetypeId) => ({ archetypeId, reason: 'Named.' })),
    warnings: [],
    state: NO_SQUAD,
    catalog,
    templates,
    seed: '',
    universe: wish.state?.teamPresent ? undefined : 'The Matrix',
    proposalId: freshId(),
    now: NOW,
    ...wish,
  });
}

export function confirm(proposal: Proposal, state: SquadState, wish: Partial<ConfirmRequest> = {}) {
  return planConfirmation({
    proposal,
    state,
    catalog,
    templates,
    policyText: 'The policy.\n',
    project: 'zion',
    clientFiles: 'configured',
    now: NOW + 1_000,
    by: 'ann',
    freshId,
    ...wish,
  });
}

/** State of a project after changes, as the adapter leaves it. */
export function after(state: SquadState, changes: readonly FileChange[]): SquadState {
  return readSquadState(withChanges(state.texts, changes));
}

/** A project with a confirmed team of these archetypes, with names from The Matrix. */
export function teamOf(...archetypeIds: string[]): SquadState {
  return after(NO_SQUAD, confirm(propose(archetypeIds), NO_SQUAD).changes);
}

export const textOf = (state: SquadState, path: string) => state.texts.get(path) ?? '';
export const activeNames = (state: SquadState) =>
  state.registry.records
    .filter((record) => record.status === 'Active' && record.builtIn !== true)
    .map((record) => record.name);

/** Request to change one member, one second after the team was cast. */
export function memberWish(state: SquadState, more: Partial<TeamRequest> = {}): TeamRequest {
  return {
    state,
    catalog,
    templates,
    policyText: 'The policy.\n',
    project: 'zion',
    clientFiles: 'configured',
    now: NOW + 5_000,
    by: 'bob',
    freshId,
    ...more,
  };
}
