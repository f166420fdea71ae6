import { useMemo } from 'react';
import { inert } from '#kernel/text.js';
import type { Answer } from '#surfaces/http/contract.js';
import { Resource, resourceOf, UNASKED, useResource } from '../../data/resource.js';
import { addressOf, useRoute } from '../../data/route.js';
import { Page, Text, Waiting } from './Page.js';

const runsResource = resourceOf('playbook.status', {});
const reportOf = (review: string) => new Resource<Answer<'review.page'>>(`reviews/${encodeURIComponent(review)}`);

/** Reports of the repository reviews: the named one, or the latest. */
export default function ReportPage() {
  const { item: review } = useRoute();
  const { answer } = useResource(runsResource);
  const reviews = (answer?.runs ?? []).filter(({ playbook }) => playbook === 'repository-review');
  const name = review ?? reviews[0]?.run;
  const resource = useMemo(() => (name === undefined ? UNASKED : reportOf(name)), [name]);
  const report = useResource<Answer<'review.page'>>(resource);
  return (
    <Page
      command="troupe review summary"
      choice={
        review === undefined && reviews.length < 2 ? (
          <p className="muted">{inert(name ?? 'No review yet')}</p>
        ) : (
          <nav aria-label="Reviews" className="reading-reviews">
            {reviews.map(({ run }) => (
              <a
                key={run}
                className="link"
                href={addressOf({ place: 'runs', view: 'review', item: run })}
                aria-current={run === name ? 'page' : undefined}
              >
                {inert(run)}
              </a>
            ))}
          </nav>
        )
      }
    >
      {review === undefined ? null : <h1>{inert(review)}</h1>}
      {report.answer !== undefined ? (
        <Text text={report.answer.markdown} />
      ) : name === undefined && answer !== undefined ? (
        <p className="empty">
          No review yet. What a review of this repository finds will be here, what to do first on top.
        </p>
      ) : (
        <Waiting error={report.error} />
      )}
    </Page>
  );
}
