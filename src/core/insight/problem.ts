/** Kinds in order of urgency: loss of data first, then failures, then what stops everything. */
export const PROBLEM_KINDS = [
  'store',
  'unverified',
  'failed',
  'stalled',
  'service',
  'trust',
  'client',
  'executor',
  'budget',
  'workflow',
  'review',
  'person',
  'blocked',
  'parked',
  'unmerged',
  'unlanded',
  'channel',
  'token',
  'sync',
] as const;
export type ProblemKind = (typeof PROBLEM_KINDS)[number];

/** A problem that does not resolve itself, with the one command that helps. */
export interface Problem {
  readonly kind: ProblemKind;
  /** Null if it concerns all tasks. */
  readonly task: string | null;
  readonly title: string | null;
  readonly text: string;
  readonly since: string | null;
  readonly command: string;
}
