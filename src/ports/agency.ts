import type { Kind } from '#core/agency/entities.js';
import type { AgencyRecord } from '#core/agency/read.js';

export interface AgencyRecords {
  readonly records: readonly AgencyRecord[];
  /** What could not be read: file, line and why. */
  readonly warnings: readonly string[];
}

/** An entity, an evaluation or a small record of ours as it shall lie on disk from now on. */
export type AgencyFile =
  | { readonly kind: Kind; readonly id: string; readonly retired: boolean; readonly text: string }
  | {
      readonly kind: 'evaluation' | 'record' | 'guide' | 'federation' | NoteKind;
      readonly id: string;
      readonly text: string;
    }
  /** What came of a task that was done again in a run of an evolution. */
  | { readonly kind: 'replay'; readonly run: string; readonly id: string; readonly text: string };

/** Records of evolution, a file each: reports of runs, and operations that wait for a person. */
export type NoteKind = 'evolution' | 'deferred';

/** Records as data, by id, and what could not be read of them. */
export interface Notes {
  readonly records: readonly { readonly id: string; readonly value: unknown }[];
  readonly warnings: readonly string[];
}

/** Was the change of this name committed, in the log after `from`? */
export type CommitCheck = (change: string, from: number) => Promise<boolean>;

/** What a new agency begins with, in our own words: entities as data, and guides by name. */
export interface ShippedAgency {
  readonly entities: readonly { readonly kind: Kind; readonly value: unknown }[];
  readonly guides: readonly { readonly id: string; readonly text: string }[];
}

/**
 * Writes files together with a commit: `commit` is told the name of the change and answers whether it was made; otherwise, and
 * after a crash before it, the files are as they were. `from`: position in the log after which its entry may stand; undefined
 * where there is no log.
 */
export type Write = (
  files: readonly AgencyFile[],
  from: number | undefined,
  commit: (change: string) => Promise<boolean>,
) => Promise<void>;

/**
 * The entities of a project, a file each below `.workgraph/agency/`. They are foreign text: bounded, never reached through
 * a link, and one that cannot be read never keeps the others back. Errors: `unsafe_path`, `locked`, `read_only`, `disk_full`.
 */
export interface AgencyFiles {
  /** All there is, after what was left half-way was finished or undone. */
  read(committed: CommitCheck): Promise<AgencyRecords>;
  /** One change at a time, across processes: `work` sees what the one before it left. */
  change<Result>(
    committed: CommitCheck,
    work: (records: AgencyRecords, write: Write) => Promise<Result>,
  ): Promise<Result>;
  shipped(): Promise<ShippedAgency>;
  /** The records of a kind as they lie there, by id; `read` settles what was left half-way first. */
  notes(kind: NoteKind): Promise<Notes>;
  /** How a strategy is carried out, as the project has it; undefined where it says nothing of it. */
  guide(id: string): Promise<string | undefined>;
  /** `.workgraph/federation.yaml` as data; undefined where there is none. Errors: `unreadable` for what cannot be understood. */
  federation(): Promise<unknown>;
  /** Text that changes with whatever changes here; cheap, for those who look often. */
  stamp(): Promise<string>;
}
