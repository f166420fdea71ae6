import * as z from 'zod/mini';
import { judgeReport } from '#core/review/gate.js';
import { renderHtml } from '#core/review/html-report.js';
import { renderMarkdown } from '#core/review/markdown-report.js';
import { TroupeError } from '#kernel/errors.js';
import { operation } from '#operations/operation.js';
import { chosenReview, reviewMeant } from './shapes.js';

/** The leader's gate. Refuses with `review_incomplete` and the list of what is wrong, which ends the task as failed. */
export const check = operation({
  name: 'review.check',
  input: chosenReview,
  output: z.strictObject({ review: z.string(), steps: z.number(), findings: z.number() }),
  async run(context, { review: named }) {
    const inspector = await context.inspector();
    const plan = await inspector.folder.readPlan(await reviewMeant(inspector, named));
    const files = await inspector.folder.readReport(plan.review);
    const { report } = files;
    const expected = report ? { markdown: renderMarkdown(report), html: renderHtml(report) } : undefined;
    const problems = judgeReport({ plan, ...files, expected });
    if (problems.length > 0) {
      throw new TroupeError('review_incomplete', {
        what: `The review “${plan.review}” is not complete: ${problems[0] ?? ''}`,
        ...(problems.length > 1 ? { why: problems.slice(1, 10).join(' ') } : {}),
        details: { problems },
      });
    }
    return { review: plan.review, steps: plan.steps.length, findings: report?.findings.length ?? 0 };
  },
});
