import { type ReactNode, useEffect, useState } from 'react';
import { wordOf } from '#core/graph/status-look.js';
import { formatCost, formatMoney, formatTokens, inert } from '#kernel/text.js';
import type { NowAnswer, NowRow } from '#surfaces/http/contract.js';
import { resourceOf, useResource, workResource } from '../../data/resource.js';
import { addressOf } from '../../data/route.js';
import { Store } from '../../data/store.js';
import { absolute } from '../../data/time.js';
import { Sentence } from '../../shell/Sentence.js';
import { Glyph } from '../../status/Status.js';
import type { Inbox } from './inbox.js';
import { Since } from './Since.js';

const SHOWN = 5;
const SIDE_EVERY_MS = 15_000;
const WITHOUT_NEWS = new Store(0);

/** Next tasks to start, and reasons why the rest do not. */
export function Next({ now, inbox }: { readonly now: NowAnswer; readonly inbox: Inbox }) {
  const { ready } = now;
  const later = withoutShown(now.not_ready, inbox);
  const isOver = ready.total + later.total === 0;
  const empty = isOver ? 'Nothing left to do.' : 'No task is ready. Tasks that can start will appear here.';
  return (
    <>
      <Rows title="Next" list={ready} state="ready" empty={empty} reason={({ starts }) => starts} />
      {later.total === 0 ? null : (
        <Rows title="Not ready yet" list={later} state="open,waiting" reason={({ reason }) => reason} />
      )}
    </>
  );
}

/** The tasks that no entry of the inbox shows already. */
function withoutShown({ rows, total }: NowAnswer['not_ready'], { entries }: Inbox): NowAnswer['not_ready'] {
  const shown = new Set(
    entries.flatMap((entry) => {
      if (entry.kind === 'task') return [entry.row.id];
      if (entry.kind === 'group') return entry.ids;
      return entry.kind === 'problem' && entry.problem.task !== null ? [entry.problem.task] : [];
    }),
  );
  const rest = rows.filter(({ id }) => !shown.has(id));
  return { rows: rest, total: total - (rows.length - rest.length) };
}

function Rows(props: {
  readonly title: string;
  readonly list: NowAnswer['ready'];
  readonly state: string;
  readonly empty?: string;
  reason(row: NowRow): string | undefined;
}) {
  const { title, list, state, empty, reason } = props;
  const [all, setAll] = useState(false);
  const rows = all ? list.rows : list.rows.slice(0, SHOWN);
  const beyond = list.total - list.rows.length;
  return (
    <section className="now-section" aria-label={title}>
      <h2>
        {title} {list.total === 0 ? null : <span className="count">{list.total}</span>}
      </h2>
      {list.total === 0 ? <p className="empty">{empty}</p> : null}
      <ul className="rows">
        {rows.map((row) => (
          <li key={row.id}>
            <Row id={row.id} title={row.title} state={row.state} facts={[row.member, reason(row)]} />
          </li>
        ))}
      </ul>
      {list.rows.length > SHOWN ? (
        <p className="left-out">
          <button type="button" className="link" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? 'Only the first' : `All ${list.total}`}
          </button>
          {all && beyond > 0 ? (
            <a className="link" href={addressOf({ place: 'tasks', view: 'table', filters: { state } })}>
              and {beyond} more in the graph
            </a>
          ) : null}
        </p>
      ) : null}
    </section>
  );
}

function Row(props: {
  readonly id: string;
  readonly title: string;
  readonly state: NowRow['state'];
  readonly check?: string | undefined;
  readonly facts: readonly (string | undefined)[];
  readonly end?: ReactNode;
}) {
  const { id, title, state, check, facts, end } = props;
  const texts = facts.flatMap((fact) => (fact === undefined ? [] : [readable(fact)]));
  return (
    <a className="row" data-row href={addressOf({ place: 'now', task: id })}>
      <Glyph state={state} check={check} />
      <span className="row-texts">
        <span className="row-title">{inert(title)}</span>
        <span className="row-facts">
          <span className="unseen">{wordOf(state, undefined, check)} </span>
          <Sentence text={texts.join(' · ')} />
        </span>
      </span>
      <span className="row-figures">{end}</span>
    </a>
  );
}

/** Replaces timestamps in a sentence with local times. */
const readable = (fact: string): string => fact.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (time) => absolute(time));

const finishedResource = resourceOf('graph.picture', { state: ['done'], limit: SHOWN });
/** Number of done tasks: finding the latest reads the whole graph, so it is asked only when that number changes. */
const doneTasks = new Store(0);

/** The tasks that ended last. */
export function Finished({ now }: { readonly now: NowAnswer }) {
  const { done } = now.counts;
  useEffect(() => doneTasks.set(done), [done]);
  const { answer } = useResource(finishedResource, undefined, doneTasks);
  const tasks = answer?.tasks ?? [];
  return (
    <section className="now-section" aria-label="Finished lately">
      <h2>Finished lately {done === 0 ? null : <span className="count">{done}</span>}</h2>
      {done === 0 ? <p className="empty">Nothing is done yet.</p> : null}
      <ul className="rows">
        {tasks.map(({ id, title, state, check, member, completed_at: ended }) => (
          <li key={id}>
            <Row
              id={id}
              title={title}
              state={state}
              check={check}
              facts={[member, check]}
              end={ended === undefined ? null : <Since time={ended} />}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Spending against the budget; hidden if both are zero. */
export function Spend() {
  const { answer } = useResource(workResource, SIDE_EVERY_MS, WITHOUT_NEWS);
  if (answer === undefined) return null;
  const { usd_today, usd_total, usd_reserved, usd_per_day, usd_cap, tokens_today, tokens_per_day } = answer.spend;
  const { estimated_today, estimated_total } = answer.spend;
  if (
    ![usd_total, usd_reserved, tokens_today, usd_per_day, usd_cap, tokens_per_day].some((amount) => (amount ?? 0) > 0)
  )
    return null;
  const of = (cap: number | null, say: (value: number) => string) => (cap === null ? '' : ` of ${say(cap)}`);
  const facts: [string, string][] = [
    ['Today', `${formatCost(usd_today, estimated_today)}${of(usd_per_day, formatMoney)}`],
    ['In total', `${formatCost(usd_total, estimated_total)}${of(usd_cap, formatMoney)}`],
    ...(usd_reserved > 0 ? [['Reserved', formatMoney(usd_reserved)] as [string, string]] : []),
    ['Tokens today', `${formatTokens(tokens_today)}${of(tokens_per_day, formatTokens)}`],
  ];
  return (
    <section className="now-section" aria-label="Spend">
      <h2>Spend</h2>
      <dl className="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="number">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
