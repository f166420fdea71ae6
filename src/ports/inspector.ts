import type { Finding } from '#core/review/finding.js';
import type { InspectionName, RecognisedCommand, ReviewPlan, StepEvidence } from '#core/review/plan.js';
import type { Report } from '#core/review/report.js';

export interface InspectionRequest {
  readonly name: InspectionName;
  readonly plan: ReviewPlan;
  /** The command to run, for the inspection `command`. */
  readonly command?: RecognisedCommand;
}

/**
 * Result of an inspection. A finding, however severe, is a result; an inspection throws only if it could not be carried
 * out.
 */
export interface InspectionResult {
  /** The action, as a person would type or describe it. */
  readonly command: string;
  /** Exit code of the program; 0 for an inspection without one; null if nothing ran or a signal ended it. */
  readonly exit_code: number | null;
  /** Output with secrets removed, escaped and truncated. */
  readonly output: string;
  readonly findings: readonly Finding[];
  readonly facts: Readonly<Record<string, unknown>>;
}

/** A text about to leave the machine, and the name by which a person knows it. */
export interface Passage {
  readonly name: string;
  readonly text: string;
}

/** A probable secret in a passage, and its kind. */
export interface Leak {
  readonly name: string;
  readonly kind: string;
  /** The secret itself, for masking: never displayed or stored. */
  readonly value: string;
}

/** Inspects a repository. Reads only tracked files, follows no links, and starts only git and recognised commands. */
export interface Inspector {
  inspect(request: InspectionRequest): Promise<InspectionResult>;
  /** Tracked files of a repository, without duplicates, sorted, and without Troupe's own folders. */
  trackedFiles(repository: string): Promise<readonly string[]>;
  /** Texts of at most 200 of `files` with a base name in `names`; unreadable ones are left out. */
  readNamed(
    repository: string,
    files: readonly string[],
    names: readonly string[],
  ): Promise<ReadonlyMap<string, string>>;
  /**
   * Finds text that has the form of a secret, or is the value of a secret variable of this process's environment.
   * Values made up for examples do not count.
   */
  leaks(passages: readonly Passage[]): Promise<readonly Leak[]>;
  readonly folder: ReportFolder;
}

export interface EvidenceRead {
  readonly node: string;
  /** Undefined if the file is missing or cannot be parsed; then `problem` gives the reason. */
  readonly evidence?: StepEvidence;
  readonly problem?: string;
}

/**
 * Folder `.workgraph/reports/<review>/`. Every write is atomic. Errors: `unsafe_path` for a link anywhere in the path.
 */
export interface ReportFolder {
  /** Creates the folder of a new review. False if it exists. */
  reserve(review: string): Promise<boolean>;
  /** Removes the folder created by `reserve`, for a review that was not created. */
  discard(review: string): Promise<void>;
  writePlan(plan: ReviewPlan): Promise<void>;
  /** Errors: `unknown_review` if there is no such review, `corrupt` if its plan cannot be parsed. */
  readPlan(review: string): Promise<ReviewPlan>;
  writeEvidence(review: string, evidence: StepEvidence): Promise<void>;
  readEvidence(review: string, nodes: readonly string[]): Promise<readonly EvidenceRead[]>;
  writeReport(report: Report, pages: { markdown: string; html: string }): Promise<void>;
  /** The three files; undefined for each that is missing or cannot be parsed. */
  readReport(review: string): Promise<{ report?: Report; markdown?: string; html?: string }>;
  /** The most recently started review; undefined if there is none. */
  latest(): Promise<string | undefined>;
  /** Path relative to the project folder: `.workgraph/reports/<review>[/file]`. */
  path(review: string, file?: string): string;
  /** Absolute path of the scratch worktree of a review. */
  worktree(review: string): string;
}
