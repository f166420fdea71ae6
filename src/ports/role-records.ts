import type { Lane } from '#core/lanes/lane.js';
import type { JsonObject } from '#kernel/json.js';

/** A change of one file that one event tells of: a solo lesson more, or another status of a row. Done twice it is done once. */
export type RoleEdit =
  | { readonly what: 'learn'; readonly role: string; readonly lesson: string; readonly run?: string }
  | { readonly what: 'retire' | 'revive'; readonly lane: Lane; readonly role: string };

/** What was begun and not finished: a graduation, by the mark of its event, the acceptance of a proposal, or an edit. */
export type RoleChangeUnderWay =
  | {
      readonly kind: 'edit';
      /** Under this the log has it once. */
      readonly change: string;
      readonly by: string;
      /** `2026-03-01` */
      readonly date: string;
      readonly edit: RoleEdit;
      /** What the log is told. */
      readonly detail: JsonObject;
    }
  | { readonly kind: 'graduation'; readonly change: string; readonly from: number }
  | { readonly kind: 'acceptance'; readonly proposal: string; readonly by: string };

/** Sets down what is about to be done; nothing when it is over. */
export type SetDown = (underWay: RoleChangeUnderWay | undefined) => Promise<void>;

/**
 * What is kept of roles beside their files, in `.workgraph/roles/`: proposals, a file each, and what is under way. Foreign text:
 * bounded, never reached through a link. Errors: `unsafe_path`, `locked`, `read_only`, `disk_full`.
 */
export interface RoleRecords {
  /** As data by id, in the order of ids; what cannot be read is a warning. */
  proposals(): Promise<{
    readonly records: readonly { readonly id: string; readonly value: unknown }[];
    readonly warnings: readonly string[];
  }>;
  keepProposal(id: string, text: string): Promise<void>;
  /** Is something under way, as by a process that was killed? Cheap. */
  underWay(): Promise<boolean>;
  /** One change at a time, across processes; `work` is told what was begun before it. */
  change<Result>(
    work: (underWay: RoleChangeUnderWay | undefined, setDown: SetDown) => Promise<Result>,
  ): Promise<Result>;
}
