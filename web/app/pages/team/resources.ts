import type {
  CatalogAnswer,
  CatalogArchetype,
  CatalogGrouping,
  CatalogUniverse,
  ProposalsAnswer,
  SyncAnswer,
  TeamAnswer,
} from '#surfaces/http/contract.js';
import { Resource } from '../../data/resource.js';

/** What the page knows of one project. */
export interface TeamResources {
  /** Before every address of the project. */
  readonly base: string;
  readonly team: Resource<TeamAnswer>;
  readonly proposals: Resource<ProposalsAnswer>;
  readonly sync: Resource<SyncAnswer>;
}

const known = new Map<string, TeamResources>();

export function resourcesOf(project: string): TeamResources {
  const base = `projects/${encodeURIComponent(project)}`;
  const found = known.get(project) ?? {
    base,
    team: new Resource<TeamAnswer>(`${base}/team`),
    proposals: new Resource<ProposalsAnswer>(`${base}/casting/proposals`),
    sync: new Resource<SyncAnswer>(`${base}/team/sync`),
  };
  known.set(project, found);
  return found;
}

export const groupings = new Resource<CatalogAnswer<CatalogGrouping>>('catalog/groupings');
export const archetypes = new Resource<CatalogAnswer<CatalogArchetype>>('catalog/archetypes');
export const universes = new Resource<CatalogAnswer<CatalogUniverse>>('catalog/universes');
