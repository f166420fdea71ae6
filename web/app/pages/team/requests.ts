import { inert, shellWord } from '#kernel/text.js';
import type {
  CatalogAnswer,
  CatalogArchetype,
  CatalogGrouping,
  CatalogUniverse,
  ProposalsAnswer,
  SyncAnswer,
  TeamAnswer,
} from '#surfaces/http/contract.js';
import { Resource, resourceOf } from '../../data/resource.js';

/** Data of one project on this page. */
export interface TeamResources {
  /** Prefix of every address of the project. */
  readonly base: string;
  readonly team: Resource<TeamAnswer>;
  readonly proposals: Resource<ProposalsAnswer>;
  readonly sync: Resource<SyncAnswer>;
}

const cached = new Map<string, TeamResources>();

export function resourcesOf(project: string): TeamResources {
  const base = `projects/${encodeURIComponent(project)}`;
  const resources = cached.get(project) ?? {
    base,
    team: new Resource<TeamAnswer>(`${base}/team`),
    proposals: new Resource<ProposalsAnswer>(`${base}/casting/proposals`),
    sync: new Resource<SyncAnswer>(`${base}/team/sync`),
  };
  cached.set(project, resources);
  return resources;
}

/** Members of all active teams. */
export const membersResource = resourceOf('member.list', {});

export const groupings = new Resource<CatalogAnswer<CatalogGrouping>>('catalog/groupings');
export const archetypes = new Resource<CatalogAnswer<CatalogArchetype>>('catalog/archetypes');
export const universes = new Resource<CatalogAnswer<CatalogUniverse>>('catalog/universes');

/** Fields of the proposal form, named as in the request. */
export interface ProposalWish {
  readonly mode: 'free_text' | 'analysis' | 'scenario' | 'manual';
  readonly goal?: string;
  readonly team_size?: number;
  readonly scenario_id?: string;
  readonly archetype_ids?: readonly string[];
  readonly universe?: string;
}

/** A charter without its title, which repeats name and role. */
export const withoutTitle = (charter: string): string => charter.replace(/^#\s[^\n]*\n+/, '');

const word = (text: string): string => shellWord(inert(text));

/** The equivalent command of a proposal. */
export function proposeCommand(wish: ProposalWish): string {
  const source = {
    free_text: [word(wish.goal ?? '')],
    analysis: [],
    scenario: ['--scenario', word(wish.scenario_id ?? '')],
    manual: ['--archetypes', (wish.archetype_ids ?? []).map(word).join(',')],
  }[wish.mode];
  return [
    'troupe cast propose',
    ...source,
    ...(wish.team_size === undefined ? [] : ['--size', wish.team_size]),
    ...(wish.universe === undefined ? [] : ['--universe', word(wish.universe)]),
  ].join(' ');
}

/** A change of a proposal. */
export type Amendment =
  | { readonly universe: string }
  | { readonly drop: string }
  | { readonly rename: string; readonly to: string };

/** The equivalent command of a change. */
export function amendCommand(change: Amendment): string {
  if ('universe' in change) return `troupe cast amend --universe ${word(change.universe)}`;
  if ('drop' in change) return `troupe cast amend --drop ${word(change.drop)}`;
  return `troupe cast amend --name ${word(`${change.rename}=${change.to}`)}`;
}

/**
 * The equivalent command of the confirmation. Without a chosen intent the flag is omitted, and the command is refused
 * if a team exists.
 */
export function confirmCommand(wish: {
  readonly intent?: string;
  readonly leader?: string;
  readonly clients?: boolean;
}): string {
  return [
    'troupe cast confirm',
    ...(wish.intent === undefined ? [] : ['--intent', wish.intent]),
    ...(wish.leader === undefined ? [] : ['--leader', word(wish.leader)]),
    ...(wish.clients === true ? ['--clients'] : []),
  ].join(' ');
}
