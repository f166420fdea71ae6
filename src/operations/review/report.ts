import * as z from 'zod/mini';
import { judgeReport } from '#core/review/gate.js';
import { renderHtml } from '#core/review/html-report.js';
import { renderMarkdown } from '#core/review/markdown-report.js';
import type { ReviewPlan } from '#core/review/plan.js';
import { buildReport, checksOf } from '#core/review/report.js';
import { checksSentence } from '#core/review/words.js';
import { timestamp } from '#kernel/clock.js';
import { assert, TroupeError } from '#kernel/errors.js';
import type { FilesContext, GraphContext } from '#operations/contexts.js';
import { type Context, operation } from '#operations/operation.js';
import { requestedReview, reviewInput, summaryOf, summaryShape } from './shapes.js';

/** Combines evidence and the state of the tasks into the report, as data and as two pages. */
export const report = operation({
  name: 'review.report',
  command: 'review report',
  group: 'Review',
  kind: 'write',
  forRuns: 'any',
  where: 'caller',
  forPrograms: true,
  summary: 'Write the report of a review from its evidence',
  examples: ['troupe review report', 'troupe review report --review review-2'],
  input: reviewInput,
  output: summaryShape,
  async run(context: GraphContext & FilesContext, { review: named }) {
    const [inspector, graph] = await Promise.all([context.inspector(), context.graph()]);
    const plan = await inspector.folder.readPlan(await requestedReview(inspector, named));
    const nodes = plan.steps.filter((step) => step.type === 'run').map((step) => step.node);
    const evidence = await inspector.folder.readEvidence(plan.review, nodes);
    const view = await graph.view();
    const tasks = new Map(
      plan.steps.flatMap((step) => {
        const task = view.task(step.task_id);
        return task ? [[step.task_id, task] as const] : [];
      }),
    );
    const document = buildReport({ plan, evidence, tasks, now: timestamp(context.clock.now()) });
    await inspector.folder.writeReport(document, { markdown: renderMarkdown(document), html: renderHtml(document) });
    return summaryOf(document, inspector.folder);
  },
});

/** Removes the scratch copy. A failure is a warning, so that it cannot fail the report. */
async function clearScratch(context: Pick<Context, 'git'>, plan: ReviewPlan, worktree: string): Promise<string[]> {
  try {
    await (await context.git()).removeWorktree(plan.repository, worktree);
    return [];
  } catch (error) {
    if (!(error instanceof TroupeError)) throw error;
    return [`The scratch copy of this review could not be removed: ${error.why ?? error.message}`];
  }
}

/**
 * The leader's gate. Errors: `review_incomplete` with the list of problems, which fails the task. It also removes the
 * scratch copy, which is no longer needed, so that the report need not wait for that.
 */
export const check = operation({
  name: 'review.check',
  command: 'review check',
  group: 'Review',
  kind: 'write',
  forRuns: 'any',
  where: 'caller',
  forPrograms: true,
  summary: 'Check that a report is complete and consistent, then remove the scratch copy',
  examples: ['troupe review check', 'troupe review check --review review-2 --json'],
  input: reviewInput,
  output: z.strictObject({
    review: z.string(),
    steps: z.number(),
    findings: z.number(),
    warnings: z.array(z.string()),
  }),
  async run(context: FilesContext, { review: named }) {
    const inspector = await context.inspector();
    const plan = await inspector.folder.readPlan(await requestedReview(inspector, named));
    const files = await inspector.folder.readReport(plan.review);
    const { report } = files;
    const expected = report ? { markdown: renderMarkdown(report), html: renderHtml(report) } : undefined;
    const problems = judgeReport({ plan, ...files, expected });
    const warnings = await clearScratch(context, plan, inspector.folder.worktree(plan.review));
    if (problems.length > 0) {
      throw new TroupeError('review_incomplete', {
        what: `The review “${plan.review}” is not complete: ${problems[0] ?? ''}`,
        ...(problems.length > 1 ? { why: problems.slice(1, 10).join(' ') } : {}),
        details: { problems },
      });
    }
    assert(report, 'a complete review has a report');
    const checks = checksOf(report);
    if (checks.finished < checks.total) warnings.push(checksSentence(checks).trim());
    return { review: plan.review, steps: plan.steps.length, findings: report.findings.length, warnings };
  },
});

/** Results of a finished review, from its report. */
export const summary = operation({
  name: 'review.summary',
  command: 'review summary',
  group: 'Review',
  kind: 'read',
  where: 'caller',
  summary: 'Show the findings of a review, starting with what to do first',
  examples: ['troupe review summary', 'troupe review summary --json'],
  input: reviewInput,
  output: summaryShape,
  async run(context: FilesContext, { review: named }) {
    const { folder } = await context.inspector();
    const review = await requestedReview(await context.inspector(), named);
    const { report } = await folder.readReport(review);
    if (report) return summaryOf(report, folder);
    await folder.readPlan(review); // distinguishes an unknown review from one without a report
    throw noReport(review);
  },
});

/** The report of a review as Markdown, as it was written. */
export const page = operation({
  name: 'review.page',
  command: 'review summary',
  group: 'Review',
  kind: 'read',
  where: 'caller',
  unlisted: true,
  summary: 'Show the report of a review as text',
  examples: [],
  resource: [
    {
      method: 'GET',
      path: '/api/reviews/:review',
      summary: 'The report of a review, as Markdown.',
      params: ['review'],
    },
  ],
  input: reviewInput,
  output: z.object({ review: z.string(), markdown: z.string() }),
  async run(context: FilesContext, { review: named }) {
    const inspector = await context.inspector();
    const review = await requestedReview(inspector, named);
    const { markdown } = await inspector.folder.readReport(review);
    if (markdown === undefined) {
      await inspector.folder.readPlan(review); // distinguishes an unknown review from one without a report
      throw noReport(review);
    }
    return { review, markdown };
  },
});

function noReport(review: string): TroupeError {
  return new TroupeError('review_incomplete', { what: `The review “${review}” has no report yet.` });
}
