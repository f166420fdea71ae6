import * as z from 'zod/mini';
import { findingSchema } from '#core/review/finding.js';

/** The workflow whose steps write evidence. Its runs have a plan and a report besides tasks. */
export const REVIEW_WORKFLOW = 'repository-review';

export const RUN_MODES = ['fast', 'all', 'none'] as const;
export type RunMode = (typeof RUN_MODES)[number];

/** Kinds of inspections. `command` runs one recognised command; all others only read (`prepare` copies). */
export const INSPECTIONS = [
  'prepare',
  'command',
  'secrets',
  'inventory',
  'links',
  'hotspots',
  'todos',
  'presence',
  'big',
] as const;
export type InspectionName = (typeof INSPECTIONS)[number];

/** Ids that become names of folders and tasks. */
export const reviewId = z
  .string()
  .check(z.regex(/^[a-z0-9][a-z0-9-]{0,63}$/, 'use a-z, 0-9 and -, at most 64 characters'));

const commandSchema = z.strictObject({
  id: reviewId,
  title: z.string(),
  kind: z.enum(['typecheck', 'lint', 'unit', 'test']),
  /** Started directly with these arguments, never through a shell. */
  program: z.string(),
  args: z.array(z.string()),
  /** Working folder relative to the top of the repository; empty for the top. */
  folder: z.string(),
  /** Folder of installed dependencies beside the manifest that the command requires. */
  needs: z.optional(z.string()),
  /** Command to install them, shown if the folder is missing. */
  install: z.string(),
});
/** A command of the repository, recognised from its manifests. */
export type RecognisedCommand = z.infer<typeof commandSchema>;

/**
 * The review to which a command's task belongs; undefined for other tasks. Only workflows give a task inputs, and its
 * id begins with the id of the review.
 */
export function reviewOfStep(taskId: string, inputs: Readonly<Record<string, string>>): string | undefined {
  const { data: review } = reviewId.safeParse(inputs['IN_REVIEW']);
  return review !== undefined && taskId.startsWith(`${review}-`) ? review : undefined;
}

const stepSchema = z.strictObject({
  node: reviewId,
  task_id: z.string(),
  title: z.string(),
  member: z.string(),
  /** Role of the member in words: “QA engineer”. */
  role: z.string(),
  type: z.enum(['run', 'fan_in', 'check']),
});
export type PlanStep = z.infer<typeof stepSchema>;

export const planSchema = z.strictObject({
  version: z.literal(1),
  review: reviewId,
  workflow: z.string(),
  /** Name of the repository: the name of its folder. */
  name: z.string(),
  /** Top of the reviewed repository, absolute. */
  repository: z.string(),
  /** Folder from which installed dependencies may be copied, absolute; they are never used in place. */
  dependencies_from: z.string(),
  run: z.enum(RUN_MODES),
  head: z.string(),
  started_at: z.string(),
  leader: z.string(),
  facts: z.array(z.string()),
  commands: z.array(commandSchema),
  steps: z.array(stepSchema),
});
/** `plan.json`: the plan of a review. */
export type ReviewPlan = z.infer<typeof planSchema>;

export const evidenceSchema = z.strictObject({
  node: reviewId,
  title: z.string(),
  member: z.string(),
  /** The command as a person would type it. */
  command: z.string(),
  /** Null if nothing was started or a signal ended it. */
  exit_code: z.nullable(z.number()),
  duration_ms: z.number(),
  started_at: z.string(),
  /** Redacted, sanitised and bounded. */
  output_excerpt: z.string(),
  findings: z.array(findingSchema),
  facts: z.record(z.string(), z.unknown()),
});
/** `evidence/<node>.json`: observations of one step. */
export type StepEvidence = z.infer<typeof evidenceSchema>;
