import type { Kind } from '#core/agency/entities.js';
import type { AgencyRecord } from '#core/agency/read.js';

export interface AgencyRecords {
  readonly records: readonly AgencyRecord[];
  /** One message per record that could not be read: file, line, reason. */
  readonly warnings: readonly string[];
}

/** Content to be stored for an entity, an evaluation or a small record of Troupe's own. */
export type AgencyFile =
  | { readonly kind: Kind; readonly id: string; readonly retired: boolean; readonly text: string }
  | {
      readonly kind: 'evaluation' | 'record' | 'guide' | 'federation' | NoteKind;
      readonly id: string;
      readonly text: string;
    }
  /** Result of a task that a run of an evolution executed again. */
  | { readonly kind: 'replay'; readonly run: string; readonly id: string; readonly text: string };

/**
 * Records of evolution, one file each: reports of runs (`evolution`) and operations that wait for a person
 * (`deferred`).
 */
export type NoteKind = 'evolution' | 'deferred';

/** Unvalidated records by id, and one message per record that could not be read. */
export interface Notes {
  readonly records: readonly { readonly id: string; readonly value: unknown }[];
  readonly warnings: readonly string[];
}

/** Whether the log has an entry of the change with this name after position `from`. */
export type CommitCheck = (change: string, from: number) => Promise<boolean>;

/** Initial content of a new agency, shipped with Troupe: entities as unvalidated data, and guides by name. */
export interface ShippedAgency {
  readonly entities: readonly { readonly kind: Kind; readonly value: unknown }[];
  readonly guides: readonly { readonly id: string; readonly text: string }[];
}

/**
 * Writes files atomically together with a commit. `commit` receives the name of the change and returns whether it was
 * committed; if it was not, or the process crashed before it, the files are restored. `from`: position in the log after
 * which the entry of the commit may be; undefined if there is no log.
 */
export type Write = (
  files: readonly AgencyFile[],
  from: number | undefined,
  commit: (change: string) => Promise<boolean>,
) => Promise<void>;

/**
 * Entities of a project, one file each below `.workgraph/agency/`. They are untrusted text: sizes are bounded, links
 * are not followed, and an unreadable file does not prevent the others from being read. Errors: `unsafe_path`,
 * `locked`, `read_only`, `disk_full`.
 */
export interface AgencyFiles {
  /** Returns all records, after an interrupted change has been completed or undone. */
  read(committed: CommitCheck): Promise<AgencyRecords>;
  /** Runs `work` exclusively across processes, on the records as the previous change left them. */
  change<Result>(
    committed: CommitCheck,
    work: (records: AgencyRecords, write: Write) => Promise<Result>,
  ): Promise<Result>;
  shipped(): Promise<ShippedAgency>;
  /** Stored records of a kind, by id. Does not recover an interrupted change: `read` does. */
  notes(kind: NoteKind): Promise<Notes>;
  /** Instructions for a strategy, as the project has them; undefined if it has none. */
  guide(id: string): Promise<string | undefined>;
  /**
   * Content of `.workgraph/federation.yaml`, unvalidated; undefined if it does not exist. Errors: `unreadable` if it
   * cannot be parsed.
   */
  federation(): Promise<unknown>;
  /**
   * Text that changes when a file of a role, trade-off, agent, evaluation or motivation is added, replaced or removed.
   * Cheap enough for polling.
   */
  stamp(): Promise<string>;
}
