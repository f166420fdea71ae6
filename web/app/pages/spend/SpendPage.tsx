/**
 * Spend: by day and by origin, against the budget, which is changed here.
 * @packageDocumentation
 */
import { useMemo, useState } from 'react';
import { SPENT_WITHOUT } from '#core/insight/spend-names.js';
import { formatCost, formatMoney, formatTokens, inert, plural } from '#kernel/text.js';
import type { Answer } from '#surfaces/http/contract.js';
import { useAction } from '../../data/action.js';
import { askFor } from '../../data/api.js';
import { resourceOf, useResource } from '../../data/resource.js';
import { addressOf } from '../../data/route.js';
import { CopyIcon } from '../../shell/CopyIcon.js';
import { Failure, Skeleton } from '../../shell/Skeleton.js';
import { SettingList } from '../settings/SettingList.js';
import { csvOf, saveAs } from './csv.js';
import { DayChart } from './DayChart.js';
import './spend.css';

export type SpendAnswer = Answer<'spend.show'>;
type SpendDimension = keyof SpendAnswer['by'];
type Group = SpendAnswer['by']['member']['rows'][number];

const EVERY_MS = 15_000;
const RANGES = [7, 30, 90, 365] as const;
const SHOWN = 8;
/** Dimensions side by side. */
const PARTS = ['member', 'client', 'model', 'playbook'] as const;

export default function SpendPage() {
  const [days, setDays] = useState<number>(30);
  const resource = useMemo(() => resourceOf('spend.show', { days }), [days]);
  const { answer, error } = useResource(resource, EVERY_MS);
  return (
    <div className="spend">
      <div className="spend-head">
        <h1>Spend</h1>
        <label className="spend-range">
          <span className="unseen">Period</span>
          <select value={days} onChange={({ target }) => setDays(Number(target.value))}>
            {RANGES.map((count) => (
              <option key={count} value={count}>
                {count === 365 ? 'A year' : `${count} days`}
              </option>
            ))}
          </select>
        </label>
        <Export days={days} />
        <CopyIcon text={`troupe spend --days ${days}`} />
      </div>
      {answer !== undefined ? (
        <Figures spend={answer} />
      ) : error !== undefined ? (
        <Failure error={error} />
      ) : (
        <Skeleton rows={8} />
      )}
    </div>
  );
}

function Export({ days }: { readonly days: number }) {
  const { busy, trouble, run } = useAction();
  const save = () =>
    run(async () => {
      const { lines = [] } = await askFor('spend.show', { days, lines: true });
      saveAs(`troupe-spend-${days}-days.csv`, csvOf(lines));
    });
  return (
    <>
      <button type="button" disabled={busy} onClick={() => void save()}>
        Export CSV
      </button>
      {trouble === undefined ? null : <Failure error={trouble} />}
    </>
  );
}

/** Whether amounts are shown in tokens, because nothing has a price. */
const inTokens = ({ total, budget }: SpendAnswer) => total.usd === 0 && budget.usd_total === 0 && total.tokens > 0;

function Figures({ spend }: { readonly spend: SpendAnswer }) {
  const { budget, total, days, by } = spend;
  const tokens = inTokens(spend);
  return (
    <>
      <dl className="spend-figures">
        <Figure
          name="Today"
          value={tokens ? formatTokens(budget.tokens_today) : formatCost(budget.usd_today, budget.estimated_today)}
          used={tokens ? budget.tokens_today : budget.usd_today}
          cap={tokens ? budget.tokens_per_day : budget.usd_per_day}
          say={tokens ? formatTokens : formatMoney}
        />
        <Figure name="Reserved by runs" value={formatMoney(budget.usd_reserved)} />
        <Figure
          name={`In ${plural(days.length, 'day')}`}
          value={formatCost(total.usd, total.estimated)}
          more={`${formatTokens(total.tokens)} tokens`}
        />
        <Figure
          name="In total"
          value={formatCost(budget.usd_total, budget.estimated_total)}
          used={budget.usd_total}
          cap={budget.usd_cap}
          say={formatMoney}
        />
      </dl>
      {total.estimated > 0 || total.unpriced > 0 ? (
        <p className="muted spend-note">
          {[
            total.estimated > 0
              ? `~ ${formatMoney(total.estimated)} of it is estimated from tokens and the price table.`
              : '',
            total.unpriced > 0 ? `${formatTokens(total.unpriced)} tokens have no known price.` : '',
          ]
            .filter((text) => text !== '')
            .join(' ')}
        </p>
      ) : null}
      {total.count === 0 ? (
        <p className="empty spend-empty">
          Nothing was spent in this period. Each attempt of a client and each question to a model will appear here, with
          its tokens and its cost.
        </p>
      ) : (
        <>
          <section className="spend-part" aria-label="By day">
            <h2>By day</h2>
            <DayChart days={days} tokens={tokens} cap={tokens ? budget.tokens_per_day : budget.usd_per_day} />
          </section>
          <div className="spend-parts">
            {PARTS.map((part) => (
              <Groups key={part} part={part} groups={by[part]} tokens={tokens} />
            ))}
          </div>
          <Groups part="task" groups={by.task} tokens={tokens} />
        </>
      )}
      <section className="spend-part" aria-label="Budget">
        <h2>Budget</h2>
        <SettingList
          keys={['budget.usd_per_day', 'budget.usd_total', 'budget.usd_per_task', 'budget.tokens_per_day']}
        />
      </section>
    </>
  );
}

function Figure(props: {
  readonly name: string;
  readonly value: string;
  readonly more?: string;
  readonly used?: number;
  readonly cap?: number | null;
  say?(value: number): string;
}) {
  const { name, value, more, used = 0, cap = null, say = String } = props;
  const share = cap === null || cap <= 0 ? undefined : Math.min(1, used / cap);
  return (
    <div className="spend-figure">
      <dt>{name}</dt>
      <dd>
        <span className="spend-value number">{value}</span>
        {cap === null ? null : <span className="muted number"> of {say(cap)}</span>}
        {more === undefined ? null : <span className="muted number"> {more}</span>}
        {share === undefined ? null : (
          <span className={share >= 0.8 ? 'meter is-near' : 'meter'} aria-hidden="true">
            <span style={{ width: `${share * 100}%` }} />
          </span>
        )}
      </dd>
    </div>
  );
}

/** One dimension: each part with its share, most expensive first. */
function Groups(props: {
  readonly part: SpendDimension;
  readonly groups: SpendAnswer['by']['member'];
  readonly tokens: boolean;
}) {
  const { part, groups, tokens } = props;
  const [all, setAll] = useState(false);
  const rows = all ? groups.rows : groups.rows.slice(0, SHOWN);
  const amountOf = (row: Group) => (tokens ? row.tokens : row.usd);
  const most = Math.max(0, ...groups.rows.map(amountOf));
  return (
    <section className="spend-part" aria-label={`By ${part}`}>
      <table className="spend-table">
        <thead>
          <tr>
            <th scope="col">{capitalized(part)}</th>
            <th scope="col" className="is-number">
              Runs
            </th>
            <th scope="col" className="is-number">
              Tokens
            </th>
            <th scope="col" className="is-number">
              Cost
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.name ?? '\0'}>
              <th scope="row">
                <span
                  className="spend-share"
                  aria-hidden="true"
                  style={{ width: `${most === 0 ? 0 : (amountOf(row) / most) * 100}%` }}
                />
                {part === 'task' && row.name !== null && row.title !== undefined ? (
                  <a className="link" data-row href={addressOf({ place: 'spend', task: row.name })}>
                    {inert(row.title)}
                  </a>
                ) : (
                  <span className={row.name === null ? 'muted' : undefined}>
                    {inert(row.name ?? capitalized(SPENT_WITHOUT[part]))}
                  </span>
                )}
              </th>
              <td className="is-number">{row.count}</td>
              <td className="is-number">{formatTokens(row.tokens)}</td>
              <td className="is-number">
                {row.unpriced > 0 && row.usd === 0 ? '–' : formatCost(row.usd, row.estimated)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {groups.rows.length > SHOWN ? (
        <p>
          <button type="button" className="link" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? 'Only the first' : `All ${groups.rows.length}`}
          </button>
          {all && groups.total > groups.rows.length ? (
            <span className="muted"> and {groups.total - groups.rows.length} more in the export</span>
          ) : null}
        </p>
      ) : null}
    </section>
  );
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
