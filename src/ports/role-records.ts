/** What was begun and not finished: a graduation, by the mark of its event, or the acceptance of a proposal. */
export type RoleChangeUnderWay =
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
