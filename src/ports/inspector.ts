import type { Finding } from '#core/review/finding.js';
import type { InspectionName, RecognisedCommand, ReviewPlan, StepEvidence } from '#core/review/plan.js';
import type { Report } from '#core/review/report.js';

export interface InspectionRequest {
  readonly name: InspectionName;
  readonly plan: ReviewPlan;
  /** For `command`: which one. */
  readonly command?: RecognisedCommand;
}

/** What an inspection saw. That it found something bad is a result like any other; it throws only when it could not look. */
export interface InspectionResult {
  /** What was done, as a person would type or say it. */
  readonly command: string;
  /** Of the program that was run; 0 for an inspection without one; null when nothing ran or a signal ended it. */
  readonly exit_code: number | null;
  /** Already redacted, harmless and bounded. */
  readonly output: string;
  readonly findings: readonly Finding[];
  readonly facts: Readonly<Record<string, unknown>>;
}

/** A text that is about to leave, under the name a person would know it by. */
export interface Passage {
  readonly name: string;
  readonly text: string;
}

/** A passage that holds what looks like a secret, and its kind. */
export interface Leak {
  readonly name: string;
  readonly kind: string;
  /** The secret itself, for masking: it is shown to nobody and written nowhere. */
  readonly value: string;
}

/** Looks at a repository. Reads only tracked files, follows no links, starts nothing but git and recognised commands. */
export interface Inspector {
  inspect(request: InspectionRequest): Promise<InspectionResult>;
  /** Tracked files of a repository, each once, sorted, without Troupe's own folders. */
  trackedFiles(repository: string): Promise<readonly string[]>;
  /** The texts of those of `files` whose base name is in `names`, as far as they can be read; at most 200 of them. */
  readNamed(
    repository: string,
    files: readonly string[],
    names: readonly string[],
  ): Promise<ReadonlyMap<string, string>>;
  /**
   * Which passages hold what has the form of a secret, or the value of a secret variable of this process's environment.
   * What is made up for an example does not count.
   */
  leaks(passages: readonly Passage[]): Promise<readonly Leak[]>;
  readonly folder: ReportFolder;
}

export interface EvidenceRead {
  readonly node: string;
  /** Absent when the file is missing or cannot be understood; `problem` says which. */
  readonly evidence?: StepEvidence;
  readonly problem?: string;
}

/** `.workgraph/reports/<review>/`. Every write is atomic; a link anywhere in the path is `unsafe_path`. */
export interface ReportFolder {
  /** Makes the folder of a new review. False when there is one already. */
  reserve(review: string): Promise<boolean>;
  /** Removes what `reserve` made, for a review that did not come about. */
  discard(review: string): Promise<void>;
  writePlan(plan: ReviewPlan): Promise<void>;
  /** `unknown_review` when there is none, `corrupt` when its plan cannot be understood. */
  readPlan(review: string): Promise<ReviewPlan>;
  writeEvidence(review: string, evidence: StepEvidence): Promise<void>;
  readEvidence(review: string, nodes: readonly string[]): Promise<readonly EvidenceRead[]>;
  writeReport(report: Report, pages: { markdown: string; html: string }): Promise<void>;
  /** The three files as they are; undefined for one that is missing or cannot be understood. */
  readReport(review: string): Promise<{ report?: Report; markdown?: string; html?: string }>;
  /** The review most recently begun; undefined when there is none. */
  latest(): Promise<string | undefined>;
  /** Path below the project folder: `.workgraph/reports/<review>[/file]`. */
  path(review: string, file?: string): string;
  /** Absolute path of the scratch worktree of a review. */
  worktree(review: string): string;
}
