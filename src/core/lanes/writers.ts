import type { Lane } from './lane.js';

/** The parts of a role file that somebody may be allowed to change. */
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
 * Who may change which part of which role file. There are only the constants below, as the class stays in this file;
 * `test/house/role-writers.test.ts` holds each of them to the operations that may name it.
 */
class Writer<const Name extends string, const Of extends Lane | undefined> {
  /** What it is called where a write is refused. */
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
/** May write the rows of one lane, and its log. */
export type LaneWriter<L extends Lane> = Writer<L, L>;

const laneWriter = <const L extends Lane>(lane: L): LaneWriter<L> => new Writer(lane, lane, ['row', 'log']);

export const CREW_WRITER = laneWriter('crew');
export const PANEL_WRITER = laneWriter('panel');
export const RESEARCH_WRITER = laneWriter('research');
/** Appends to the solo lessons of a core role. */
export const SOLO_WRITER = new Writer('solo', undefined, ['solo']);
/** Adds core lessons and strikes what they came from, in the rows of any lane and among the solo lessons. */
export const GRADUATION_WRITER = new Writer('graduation', undefined, ['core', 'solo', 'lesson-out-of-row']);
/** Carries out what a person accepted: charter, when to use, body. */
export const IDENTITY_WRITER = new Writer('identity', undefined, ['identity']);
/** Copies a shipped role to where there is none. */
export const STARTER_WRITER = new Writer('starter', undefined, ['new-core']);
/** Writes the generated table. */
export const INDEX_WRITER = new Writer('index', undefined, ['index']);
