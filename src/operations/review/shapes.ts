import * as z from 'zod/mini';
import { SEVERITIES } from '#core/review/finding.js';
import { reviewId } from '#core/review/plan.js';
import { checksOf, type Report, reportSchema } from '#core/review/report.js';
import { TroupeError } from '#kernel/errors.js';
import { option } from '#operations/fields.js';
import type { Inspector, ReportFolder } from '#ports/inspector.js';

export const reviewInput = z.strictObject({
  review: option('Which review; default: the latest', z.optional(reviewId), { value: 'ID' }),
});

export const summaryShape = z.strictObject({
  review: z.string(),
  name: z.string(),
  counts: z.record(z.enum(SEVERITIES), z.number()),
  /** At most three, in order of priority. */
  first: reportSchema.shape.first,
  steps: z.strictObject({ total: z.number(), with_result: z.number() }),
  /** Counts of the repository's own commands. */
  checks: z.strictObject({ total: z.number(), finished: z.number() }),
  took_ms: z.number(),
  /** Relative to the project folder. */
  files: z.strictObject({ html: z.string(), markdown: z.string(), json: z.string() }),
});
export type ReviewSummary = z.infer<typeof summaryShape>;

/** The named review, otherwise the latest. Errors: `unknown_review`. */
export async function requestedReview(inspector: Inspector, named: string | undefined): Promise<string> {
  const review = named ?? (await inspector.folder.latest());
  if (review === undefined) throw new TroupeError('unknown_review', { what: 'This project has no review yet.' });
  return review;
}

export function summaryOf(report: Report, folder: ReportFolder): ReviewSummary {
  const runs = report.steps.filter((step) => step.type === 'run');
  return {
    review: report.review,
    name: report.name,
    counts: report.counts,
    first: report.first,
    steps: { total: runs.length, with_result: runs.filter((step) => step.has_evidence).length },
    checks: checksOf(report),
    took_ms: Math.max(0, Date.parse(report.finished_at) - Date.parse(report.started_at)),
    files: {
      html: folder.path(report.review, 'report.html'),
      markdown: folder.path(report.review, 'report.md'),
      json: folder.path(report.review, 'report.json'),
    },
  };
}
