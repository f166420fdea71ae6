import type { Catalog } from '#core/catalog/catalog.js';
import { timestamp } from '#kernel/clock.js';
import type { ClientFiles } from './outputs.js';
import type { Templates } from './propose.js';
import type { Moment } from './roster-change.js';
import type { SquadState } from './squad-state.js';

/** What every change of the team needs to know, of one member or of all. */
export interface TeamWish {
  readonly state: SquadState;
  readonly catalog: Catalog;
  /** Templates of the archetypes the change is about. */
  readonly templates: Templates;
  /** What `.squad/rai/policy.md` begins with. */
  readonly policyText: string;
  readonly project: string;
  readonly clientFiles: ClientFiles;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly by: string;
  freshId(): string;
  agentFor?: Moment['agentFor'];
}

export function momentOf(wish: TeamWish): Moment {
  return { at: timestamp(wish.now), by: wish.by, freshId: wish.freshId, agentFor: wish.agentFor };
}
