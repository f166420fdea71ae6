/**
 * Runs of workflows, and of crews, panels, sweeps and chains, each from its line-up to its result.
 * @packageDocumentation
 */
import { useMemo, useState } from 'react';
import { inert } from '#kernel/text.js';
import { resourceOf, useResource } from '../../data/resource.js';
import { addressOf, useRoute } from '../../data/route.js';
import { absolute, elapsed, useNow } from '../../data/time.js';
import { CopyIcon } from '../../shell/CopyIcon.js';
import { Failure, Skeleton } from '../../shell/Skeleton.js';
import { NewRun } from './NewRun.js';
import { RunView } from './RunView.js';
import { groupsOf, PENDING_WORDS, type RunRow } from './runs.js';
import './runs.css';

const RUNS_AT_ONCE = 50;

export default function RunsPage() {
  const { item: run } = useRoute();
  return <div className="formations">{run === undefined ? <Runs /> : <RunView key={run} name={run} />}</div>;
}

function Runs() {
  const [limit, setLimit] = useState(RUNS_AT_ONCE);
  const resource = useMemo(() => resourceOf('playbook.status', { limit }), [limit]);
  const { answer, error } = useResource(resource);
  const [beginning, setBeginning] = useState(false);
  if (answer === undefined) return error === undefined ? <Skeleton rows={6} /> : <Failure error={error} />;
  const none = answer.runs.length === 0;
  const left = answer.total - answer.runs.length;
  return (
    <>
      {none ? (
        <div className="empty">
          <p>
            No playbook has run yet. A workflow turns a goal into tasks; a crew delivers, a panel decides, a sweep
            researches, and nothing of these runs before you accept its line-up.
          </p>
        </div>
      ) : null}
      {none || beginning ? (
        <NewRun onCancel={none ? undefined : () => setBeginning(false)} />
      ) : (
        <div className="buttons">
          <button type="button" onClick={() => setBeginning(true)}>
            New run
          </button>
          <CopyIcon text="troupe playbook status" />
        </div>
      )}
      {groupsOf(answer.runs).map(({ title, runs }) => (
        <section key={title} aria-label={title}>
          <h2>
            {title} <span className="count">{runs.length}</span>
          </h2>
          <ul className="record-lines">
            {runs.map((run) => (
              <RunLine key={run.run} run={run} />
            ))}
          </ul>
        </section>
      ))}
      {left > 0 ? (
        <button type="button" className="begin" onClick={() => setLimit(limit + RUNS_AT_ONCE)}>
          Show {Math.min(RUNS_AT_ONCE, left)} more of {left}
        </button>
      ) : null}
    </>
  );
}

function Bar({ done, all }: { readonly done: number; readonly all: number }) {
  return (
    <>
      <span className="run-bar" aria-hidden="true">
        <span style={{ width: `${all === 0 ? 0 : (100 * done) / all}%` }} />
      </span>
      <span className="number">
        {done} of {all}
      </span>
    </>
  );
}

function RunLine({ run }: { readonly run: RunRow }) {
  const now = useNow();
  const [pending] = run.pending;
  return (
    <li className="record-line">
      <div>
        <a className="record-link" data-row href={addressOf({ place: 'runs', view: 'list', item: run.run })}>
          {inert(run.goal ?? run.run)}
        </a>
        <p className="muted">
          {inert(run.playbook)}
          {run.goal === undefined ? null : (
            <>
              {' '}
              · <span className="mono">{inert(run.run)}</span>
            </>
          )}
          {run.chain === undefined ? null : ` · then ${run.chain.next.join(', ')}`}
        </p>
      </div>
      <div>
        <p>{pending === undefined ? inert(run.outcome) : `You: ${PENDING_WORDS[pending.kind]}`}</p>
        {run.chain?.stopped === undefined ? null : <p className="is-minus">The chain stopped.</p>}
      </div>
      <div className="run-progress">
        <Bar done={run.done} all={run.total} />
        {run.at === '' ? null : (
          <time className="muted" dateTime={run.at} title={absolute(run.at)}>
            {elapsed(run.at, now)} ago
          </time>
        )}
      </div>
    </li>
  );
}
