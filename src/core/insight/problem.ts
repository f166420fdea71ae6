/** In the order in which a person should look at them: what stops everything comes first. */
export const PROBLEM_KINDS = [
  'service',
  'trust',
  'client',
  'executor',
  'budget',
  'workflow',
  'review',
  'person',
  'blocked',
  'stalled',
  'failed',
  'parked',
  'unmerged',
  'unlanded',
] as const;
export type ProblemKind = (typeof PROBLEM_KINDS)[number];

/** One thing that does not go on by itself, and the one command that helps. */
export interface Problem {
  readonly kind: ProblemKind;
  /** The task it is about; null when it is about all of them. */
  readonly task: string | null;
  readonly title: string | null;
  readonly text: string;
  readonly since: string | null;
  readonly command: string;
}
