import { renderHtml } from '#core/review/html-report.js';
import { renderMarkdown } from '#core/review/markdown-report.js';
import type { ReviewPlan } from '#core/review/plan.js';
import { buildReport } from '#core/review/report.js';
import { timestamp } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { type Context, operation } from '#operations/operation.js';
import { chosenReview, reviewMeant, summaryOf, summaryShape } from './shapes.js';

/** Puts evidence and the graph's facts together, as data and as two pages, then clears the scratch copy away. */
export const report = operation({
  name: 'review.report',
  input: chosenReview,
  output: summaryShape,
  async run(context, { review: named }) {
    const [inspector, graph] = await Promise.all([context.inspector(), context.graph()]);
    const plan = await inspector.folder.readPlan(await reviewMeant(inspector, named));
    const nodes = plan.steps.filter((step) => step.type === 'run').map((step) => step.node);
    const evidence = await inspector.folder.readEvidence(plan.review, nodes);
    const view = await graph.view();
    const tasks = new Map(
      plan.steps.flatMap((step) => {
        const task = view.task(step.task_id);
        return task ? [[step.task_id, task] as const] : [];
      }),
    );
    const made = buildReport({ plan, evidence, tasks, now: timestamp(context.clock.now()) });
    await inspector.folder.writeReport(made, { markdown: renderMarkdown(made), html: renderHtml(made) });
    return summaryOf(made, inspector.folder, await clearScratch(context, plan, inspector.folder.worktree(plan.review)));
  },
});

/** The scratch copy has served. That it cannot be removed is worth a word, never the report. */
async function clearScratch(context: Context, plan: ReviewPlan, worktree: string): Promise<string[]> {
  try {
    await (await context.git()).removeWorktree(plan.repository, worktree);
    return [];
  } catch (error) {
    if (!(error instanceof TroupeError)) throw error;
    return [`The scratch copy of this review could not be removed: ${error.why ?? error.message}`];
  }
}
