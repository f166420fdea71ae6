import type { RefObject } from 'react';
import { wordOf } from '#core/graph/status-look.js';
import { formatCost, formatTokens, inert } from '#kernel/text.js';
import type { Answer, NowAnswer, NowRow } from '#surfaces/http/contract.js';
import { type Deed, nameOf, tell } from '../../data/acts.js';
import { nowResource, useResource, workResource } from '../../data/resource.js';
import { addressOf } from '../../data/route.js';
import { Glyph } from '../../status/Status.js';
import { Entry } from './Entry.js';
import type { RowAct } from './inbox.js';
import { Since } from './Since.js';

/** The last line of a run is not in the log, so it is asked for, while something runs. */
const LINE_EVERY_MS = 3_000;

type Run = Answer<'status.work'>['runs'][number];

/** Work in progress, with what each run does at this moment. */
export function Running({
  now,
  mayAct,
  empty,
}: {
  readonly now: NowAnswer;
  readonly mayAct: boolean;
  readonly empty: string;
}) {
  const { rows, total } = now.running;
  const { answer } = useResource(workResource, rows.length === 0 ? undefined : LINE_EVERY_MS);
  const runs = new Map(answer?.runs.map((run) => [run.task, run]));
  return (
    <section className="now-section" aria-label="Running">
      <h2>Running {total === 0 ? null : <span className="count">{total}</span>}</h2>
      {total === 0 ? (
        <p className="empty">{empty}</p>
      ) : (
        <ul className="entries is-quiet">
          {rows.map((row) => (
            <RunningEntry key={row.id} row={row} run={runs.get(row.id)} cost={now.costs[row.id]} mayAct={mayAct} />
          ))}
        </ul>
      )}
      {total > rows.length ? (
        <p className="left-out">
          <a className="link" href={addressOf({ place: 'tasks', view: 'table', filters: { state: 'in-progress' } })}>
            and {total - rows.length} more in the graph
          </a>
        </p>
      ) : null}
    </section>
  );
}

function RunningEntry(props: {
  readonly row: NowRow;
  readonly run: Run | undefined;
  readonly cost: NowAnswer['costs'][string] | undefined;
  readonly mayAct: boolean;
}) {
  const { row, run, cost, mayAct } = props;
  const { id, title, member, worker, reason, live, since, acts = [] } = row;
  const onDone = (act: RowAct, deed: Deed) => {
    tell(act, nameOf([title], 1), deed, () => void nowResource.load());
    void nowResource.load();
  };
  const doing =
    mayAct && acts.length > 0 ? { acts, ids: [id], total: 1, run: row.run, about: inert(title), onDone } : undefined;
  const facts = [
    member,
    run?.executor === 'shell' ? 'command' : run?.executor,
    worker === undefined ? undefined : `at ${worker}`,
    live === true ? undefined : reason,
  ].filter((fact) => fact !== undefined);
  const [usd, estimated] =
    cost === undefined ? [run?.cost_usd ?? null, run?.estimated_usd] : [cost.usd, cost.estimated];
  return (
    <Entry doing={doing}>
      {(place) => (
        <a
          ref={place as RefObject<HTMLAnchorElement>}
          className="entry-main"
          data-row
          href={addressOf({ place: 'now', task: id })}
        >
          <Glyph state={row.state} />
          <span className="row-texts">
            <span className="row-title">{inert(title)}</span>
            <span className="row-facts">{facts.map((fact) => inert(fact)).join(' · ')}</span>
            {live === true ? <span className="row-line mono">{inert(run?.last_line ?? '')}</span> : null}
          </span>
          <span className="row-figures number">
            <span className={`row-state is-${row.state}`}>
              {wordOf(row.state, live, undefined)} {since === undefined ? null : <Since time={since} running />}
            </span>
            {run?.tokens == null || run.tokens === 0 ? null : <span>{formatTokens(run.tokens)} tokens</span>}
            {usd === null ? null : <span>{formatCost(usd, estimated)}</span>}
          </span>
        </a>
      )}
    </Entry>
  );
}
