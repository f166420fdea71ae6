import { type CSSProperties, useState } from 'react';
import { STATUS_LOOK } from '#core/graph/status-look.js';
import { formatDuration } from '#kernel/duration.js';
import { inert } from '#kernel/text.js';
import type { Answer } from '#surfaces/http/contract.js';
import { addressOf } from '../../data/route.js';
import { absolute, useNow } from '../../data/time.js';
import { Glyph } from '../../status/Status.js';
import {
  type Axis,
  axisOf,
  type Link,
  linksOf,
  placeOn,
  type Row,
  rowWords,
  sumsOf,
  VERDICT_LOOK,
  verdictWords,
  waitOf,
} from './gantt.js';
import './gantt.css';

/** Height of a row in the drawing of the lines, whose unit is one row. */
const ROW = 100;
const WIDTH = 1_000;
/** Width of the mark of a verdict, in pixels. */
const MARK = 18;
/** Place of the last tick whose label fits. */
const LABEL_LAST = 0.92;

/** The steps of a run over time: work, waiting, reviews, the verdicts of gates, and what follows what. */
export function Gantt({ answer }: { readonly answer: Answer<'run.timeline'> }) {
  const { run, rows, over, at } = answer;
  const now = Math.max(useNow(), Date.parse(at)); // clocks of machines differ
  const [chosen, setChosen] = useState<string>();
  const axis = axisOf(rows, now, over);
  const links = axis === undefined ? [] : linksOf(rows, axis);
  return (
    <section aria-label="Timeline" className="gantt">
      <h2>
        Timeline
        {axis === undefined ? null : (
          <span className="gantt-since muted number">
            from {absolute(new Date(axis.from).toISOString())}, {formatDuration(axis.to - axis.from)}
          </span>
        )}
      </h2>
      {axis === undefined ? (
        <p className="muted">Nothing has begun. Each step will be a bar from its start to its end.</p>
      ) : (
        <>
          <div className="gantt-axis muted number" aria-hidden="true">
            {axis.ticks
              .filter(({ at }) => placeOn(axis, at) <= LABEL_LAST)
              .map(({ at, label }) => (
                <span key={at} style={{ left: percent(placeOn(axis, at)) }}>
                  {label}
                </span>
              ))}
          </div>
          <div className="gantt-body">
            <Lines axis={axis} links={links} count={rows.length} chosen={chosen} />
            <ol className="gantt-rows" onMouseLeave={() => setChosen(undefined)}>
              {rows.map((row) => (
                <GanttRow key={row.id} row={row} axis={axis} run={run} onChoose={setChosen} />
              ))}
            </ol>
          </div>
          <Key rows={rows} />
        </>
      )}
    </section>
  );
}

const percent = (share: number): string => `${Math.round(share * 100_000) / 1_000}%`;

/** Place of a mark that stays inside the track also at its ends. */
const within = (share: number): string => `calc(${percent(share)} - ${Math.round(share * MARK)}px)`;

interface RowProps {
  readonly row: Row;
  readonly axis: Axis;
  readonly run: string;
  onChoose(step: string): void;
}

function GanttRow({ row, axis, run, onChoose }: RowProps) {
  const wait = waitOf(row, axis);
  const place = (from: number, to: number): CSSProperties => {
    const left = placeOn(axis, from);
    return { left: percent(left), width: percent(placeOn(axis, to) - left) };
  };
  return (
    <li className="gantt-row" onMouseEnter={() => onChoose(row.step)} onFocus={() => onChoose(row.step)}>
      <a
        data-row
        className="gantt-name"
        title={inert(row.title)}
        href={addressOf({ place: 'runs', view: 'list', item: run, task: row.id })}
      >
        <Glyph state={row.state} />
        <span className="gantt-step">{inert(row.step)}</span>
        {row.gate ? <span className="gantt-gate">gate</span> : null}
        <span className="unseen">: {rowWords(row, axis)}</span>
      </a>
      <div className="gantt-track" aria-hidden="true">
        {wait === undefined ? null : (
          <span
            className="gantt-wait"
            title={`Waited ${formatDuration(wait.to - wait.from)}`}
            style={place(wait.from, wait.to)}
          />
        )}
        {row.spans.map(({ state, from, to }) => {
          const [begin, end] = [Date.parse(from), to === undefined ? axis.to : Date.parse(to)];
          return (
            <span
              key={`${state} ${from}`}
              className={`gantt-bar is-${state}${to === undefined ? ' is-going' : ''}`}
              title={`${STATUS_LOOK[state].word} ${formatDuration(end - begin)}, from ${absolute(from)}`}
              style={place(begin, end)}
            />
          );
        })}
        {row.verdicts.map((verdict) => {
          const { glyph, tone } = VERDICT_LOOK[verdict.verdict];
          return (
            <span
              key={`${verdict.at} ${verdict.verdict}`}
              className={`gantt-verdict is-${tone}`}
              title={`${verdictWords(verdict)}, ${absolute(verdict.at)}`}
              style={{ left: within(placeOn(axis, Date.parse(verdict.at))) }}
            >
              {glyph}
            </span>
          );
        })}
      </div>
      <span className="gantt-took muted number" aria-hidden="true">
        {sumsOf(row, axis)
          .filter(({ state }) => state === 'in-progress')
          .map(({ ms }) => formatDuration(ms))}
      </span>
    </li>
  );
}

/** Lines from the end of a step down or up to the beginning of those after it. */
function Lines(props: {
  readonly axis: Axis;
  readonly links: readonly Link[];
  readonly count: number;
  readonly chosen: string | undefined;
}) {
  const { axis, links, count, chosen } = props;
  return (
    <svg className="gantt-lines" viewBox={`0 0 ${WIDTH} ${ROW * count}`} preserveAspectRatio="none" aria-hidden="true">
      {axis.ticks.map(({ at }) => {
        const x = WIDTH * placeOn(axis, at);
        return <line key={at} className="gantt-tick" x1={x} x2={x} y1={0} y2={ROW * count} />;
      })}
      {links.map(({ from, to, rows, places }) => {
        const [y1, y2] = [ROW * (rows[0] + 0.5), ROW * (rows[1] + 0.5)];
        const [x1, x2] = [WIDTH * places[0], WIDTH * places[1]];
        const isLit = chosen === from || chosen === to;
        return <path key={`${from} ${to}`} className={isLit ? 'is-lit' : undefined} d={`M${x1} ${y1}V${y2}H${x2}`} />;
      })}
    </svg>
  );
}

/** Meaning of the bars and marks that occur. */
function Key({ rows }: { readonly rows: readonly Row[] }) {
  const states = [...new Set(rows.flatMap(({ spans }) => spans.map(({ state }) => state)))];
  const verdicts = [...new Set(rows.flatMap((row) => row.verdicts.map(({ verdict }) => verdict)))];
  return (
    <ul className="gantt-key muted" aria-hidden="true">
      {states.map((state) => (
        <li key={state}>
          <span className={`gantt-bar is-${state}`} /> {STATUS_LOOK[state].word}
        </li>
      ))}
      <li>
        <span className="gantt-wait" /> ready, not begun
      </li>
      {verdicts.map((verdict) => (
        <li key={verdict}>
          <span className={`gantt-verdict is-${VERDICT_LOOK[verdict].tone}`}>{VERDICT_LOOK[verdict].glyph}</span>{' '}
          {VERDICT_LOOK[verdict].word}
        </li>
      ))}
    </ul>
  );
}
