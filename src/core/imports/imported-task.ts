/**
 * Work of other trackers: one parser per format, and the planner that turns what they read into tasks of the graph.
 * @packageDocumentation
 */

import type { TaskDraft } from '#core/graph/add.js';
import type { LogEntry, Status } from '#core/graph/task.js';
import type { JsonObject } from '#kernel/json.js';

/** Trackers whose work can be imported. */
export const TRACKERS = ['beads', 'task-master', 'backlog', 'checklist', 'github', 'gitlab', 'workgraph'] as const;
export type Tracker = (typeof TRACKERS)[number];

/** A task as its tracker has it, in the same shape for all trackers. Keys are ids of the tracker. */
export interface ImportedTask {
  /** Identifies the task within its tracker. */
  readonly key: string;
  /** Preferred id here; it need not have the form of an id. */
  readonly wish: string;
  readonly title: string;
  readonly status: Status;
  /** The tracker's own word for the status. */
  readonly state: string;
  readonly text: string;
  /** Keys of the tasks that it waits for. */
  readonly after: readonly string[];
  /** Keys of those that must succeed; also in `after`. */
  readonly afterSuccess?: readonly string[];
  readonly parent?: string | undefined;
  /** Labels, kinds and priorities. */
  readonly labels: readonly string[];
  readonly created?: string | undefined;
  readonly ended?: string | undefined;
  readonly notBefore?: string | undefined;
  readonly log?: readonly LogEntry[];
  /** Fields of our own, which only a graph of the same kind has. */
  readonly fields?: OwnFields;
  /** Everything else, by the tracker's names; stored as text. */
  readonly rest: JsonObject;
}

/** Fields that only other graphs have, as for a new task. */
export interface OwnFields
  extends Pick<
    TaskDraft,
    | 'skills'
    | 'inputs'
    | 'deliverables'
    | 'exec'
    | 'environment'
    | 'verify'
    | 'verify_cmd'
    | 'timeout'
    | 'model'
    | 'context_scope'
    | 'max_retries'
    | 'hours'
    | 'cost'
    | 'max_iterations'
    | 'cycle_guard'
    | 'cycle_delay'
    | 'no_converge'
    | 'no_restart_on_failure'
    | 'max_failure_restarts'
  > {
  readonly artifacts?: readonly string[] | undefined;
  readonly failure_reason?: string | undefined;
}

/** A record that cannot be read, with its place: a line, a file or a position in a list. */
export interface BrokenRecord {
  readonly place: string;
  readonly why: string;
}

/** A record that is understood, and is no work to be done here. */
export interface LeftOut {
  readonly key: string;
  readonly title: string;
  readonly why: string;
}

export interface ParsedImport {
  readonly tasks: readonly ImportedTask[];
  readonly broken: readonly BrokenRecord[];
  readonly left: readonly LeftOut[];
}

/** A file as read: its path below the named folder, or its name. */
export interface ImportFile {
  readonly path: string;
  readonly text: string;
  /** YAML at the start of a Markdown file, and the text after it; a fault if it cannot be parsed. */
  readonly front?: { readonly value: unknown; readonly body: string } | { readonly fault: string };
}

/** Files that a person named: one, or those of a folder that trackers use. */
export interface ImportSource {
  /** Path relative to the project; the absolute path if it is outside. */
  readonly name: string;
  readonly kind: 'file' | 'folder';
  readonly files: readonly ImportFile[];
}
