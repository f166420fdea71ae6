/**
 * Statistics of all scores: best performers, combinations, trends and lineage.
 * @packageDocumentation
 */
import { useState } from 'react';
import { inert, plural } from '#kernel/text.js';
import type { Answer } from '#surfaces/http/contract.js';
import { resourceOf, useResource } from '../../data/resource.js';
import { CopyIcon } from '../../shell/CopyIcon.js';
import { Failure, Skeleton } from '../../shell/Skeleton.js';
import { HeatMap } from './HeatMap.js';
import { Identity } from './Identity.js';
import { Lineage } from './Lineage.js';
import './scores.css';

type Stats = Answer<'agency.stats'>;
type Standing = Stats['agents'][number];

const statsResource = resourceOf('agency.stats', {});
/** Scores are stored in files whose changes are not in the event log. */
const ASK_MS = 15_000;
const ROWS_SHOWN = 10;

export default function ScoresPage() {
  const { answer, error } = useResource(statsResource, ASK_MS);
  return (
    <div className="scores">
      {answer !== undefined ? (
        <Figures stats={answer} />
      ) : error !== undefined ? (
        <Failure error={error} />
      ) : (
        <Skeleton rows={6} />
      )}
    </div>
  );
}

function Figures({ stats }: { readonly stats: Stats }) {
  const [identity, setIdentity] = useState<string>();
  const scored = stats.roles.some(({ count }) => count > 0) || stats.agents.some(({ count }) => count > 0);
  if (!scored) {
    return (
      <div className="empty empty-page">
        <p>
          {stats.only_uncredited === 0
            ? 'No scores yet.'
            : `${plural(stats.only_uncredited, 'score')} kept, but credited to no one: no agent of this project had the task.`}{' '}
          Scores by role and trade-off, trends and untried pairs will appear here.
        </p>
        <p>
          <code>troupe agency init</code> <CopyIcon text="troupe agency init" />
        </p>
      </div>
    );
  }
  return (
    <>
      <HeatMap stats={stats} />
      <div className="scores-boards">
        <Board title="Variants of roles" rows={stats.agents} onOpen={setIdentity} />
        <Board title="Roles" rows={stats.roles} />
        <Board title="Trade-offs" rows={stats.tradeoffs} />
        {stats.people.length === 0 ? null : <Board title="People" rows={stats.people} />}
      </div>
      <div className="scores-boards">
        <Unexplored stats={stats} />
        <SkillGaps stats={stats} />
      </div>
      <Lineage ancestors={stats.lineage} />
      {identity === undefined ? null : <Identity id={identity} onClose={() => setIdentity(undefined)} />}
    </>
  );
}

const TREND_WORDS = { improving: 'improving', declining: 'declining', flat: 'steady' } as const;

/** Ranking by score with trend; names with details are buttons. */
function Board({
  title,
  rows,
  onOpen,
}: {
  readonly title: string;
  readonly rows: readonly Standing[];
  onOpen?(id: string): void;
}) {
  const shown = rows.filter(({ count }) => count > 0).slice(0, ROWS_SHOWN);
  if (shown.length === 0) return null;
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <table className="scores-table">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col" className="number">
              Mean
            </th>
            <th scope="col" className="number">
              Scores
            </th>
            <th scope="col">Trend</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ id, name, mean, count, trend, series, retired }) => (
            <tr key={id} className={retired ? 'is-retired' : undefined}>
              <th scope="row">
                {onOpen === undefined ? (
                  inert(name)
                ) : (
                  <button type="button" className="link" onClick={() => onOpen(id)}>
                    {inert(name)}
                  </button>
                )}
                {retired ? <span className="muted"> retired</span> : null}
              </th>
              <td className="number">{mean === null ? '–' : mean.toFixed(2)}</td>
              <td className="number">{count}</td>
              <td>
                <Sparkline series={series} />{' '}
                {trend === null ? null : <span className="muted">{TREND_WORDS[trend]}</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const WIDTH = 72;
const HEIGHT = 18;

/** Scores between 0 and 1 in their order. The figures beside the line give the same values as text. */
function Sparkline({ series }: { readonly series: readonly number[] }) {
  if (series.length < 2) return null;
  const step = WIDTH / (series.length - 1);
  const points = series.map(
    (value, index) => `${(index * step).toFixed(1)},${((1 - value) * (HEIGHT - 2) + 1).toFixed(1)}`,
  );
  return (
    <svg className="sparkline" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT} aria-hidden="true">
      <polyline points={points.join(' ')} />
    </svg>
  );
}

function Unexplored({ stats: { unexplored, unexplored_total: total } }: { readonly stats: Stats }) {
  if (unexplored.length === 0) return null;
  return (
    <section aria-label="Few scores">
      <h2>
        Few scores <span className="count">{total}</span>
      </h2>
      <ul className="fact-list">
        {unexplored.slice(0, ROWS_SHOWN).map((pair) => (
          <li key={`${pair.role_id} ${pair.tradeoff_id}`}>
            <span>
              {inert(pair.role_name)} × {inert(pair.tradeoff_name)}
            </span>
            <span className="muted">{pair.count === 0 ? 'never' : plural(pair.count, 'score')}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function SkillGaps({ stats: { skill_gaps: gaps } }: { readonly stats: Stats }) {
  if (gaps.length === 0) return null;
  return (
    <section aria-label="Missing skills">
      <h2>Missing skills</h2>
      <ul className="fact-list">
        {gaps.slice(0, ROWS_SHOWN).map(({ skill, tasks }) => (
          <li key={skill}>
            <span>{inert(skill)}</span>
            <span className="muted">{plural(tasks, 'task')}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
