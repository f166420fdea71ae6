import { TroupeError } from '#kernel/errors.js';
import { operation } from '#operations/operation.js';
import { chosenReview, reviewMeant, summaryOf, summaryShape } from './shapes.js';

/** What a finished review found, from its report. */
export const summary = operation({
  name: 'review.summary',
  input: chosenReview,
  output: summaryShape,
  async run(context, { review: named }) {
    const { folder } = await context.inspector();
    const review = await reviewMeant(await context.inspector(), named);
    const { report } = await folder.readReport(review);
    if (report) return summaryOf(report, folder);
    await folder.readPlan(review); // an unknown review is told apart from one that has no report yet
    throw new TroupeError('review_incomplete', { what: `The review “${review}” has no report yet.` });
  },
});
