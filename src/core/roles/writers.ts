import type { Lane } from './lane.js';

/** Parts of a role file, as units of write permission. */
export type RolePart =
  | 'row'
  | 'log'
  | 'lesson-out-of-row'
  | 'identity'
  | 'core'
  | 'solo'
  | 'new-core'
  | 'index'
  | 'other';

/**
 * Write permission for parts of role files. Only the constants below exist, as the class is not exported;
 * `test/house/role-writers.test.ts` limits each to the operations that may use it.
 */
class Writer<const Name extends string, const Of extends Lane | undefined> {
  /** Name in error messages of refused writes. */
  readonly name: Name;
  readonly lane: Of;
  readonly parts: readonly RolePart[];

  constructor(name: Name, lane: Of, parts: readonly RolePart[]) {
    this.name = name;
    this.lane = lane;
    this.parts = parts;
  }
}

export type RoleWriter = Writer<string, Lane | undefined>;
/** Writes the rows and the log of one lane. */
export type LaneWriter<L extends Lane> = Writer<L, L>;

const laneWriter = <const L extends Lane>(lane: L): LaneWriter<L> => new Writer(lane, lane, ['row', 'log']);

export const CREW_WRITER = laneWriter('crew');
export const PANEL_WRITER = laneWriter('panel');
export const RESEARCH_WRITER = laneWriter('research');
/** Appends to the solo lessons of a core role. */
export const SOLO_WRITER = new Writer('solo', undefined, ['solo']);
/** Adds core lessons and deletes their sources, in rows of any lane and among solo lessons. */
export const GRADUATION_WRITER = new Writer('graduation', undefined, ['core', 'solo', 'lesson-out-of-row']);
/** Applies identity changes that a person accepted: charter, when to use, body. */
export const IDENTITY_WRITER = new Writer('identity', undefined, ['identity']);
/** Copies a shipped role if it does not exist yet. */
export const STARTER_WRITER = new Writer('starter', undefined, ['new-core']);
/** Writes the generated table. */
export const INDEX_WRITER = new Writer('index', undefined, ['index']);
