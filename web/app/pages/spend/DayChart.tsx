import { formatCost, formatMoney, formatTokens } from '#kernel/text.js';
import type { Answer } from '#surfaces/http/contract.js';

type Day = Answer<'spend.show'>['days'][number];

const HEIGHT = 160;
const BAR = 20;
/** Days beyond this are added up by week, so that a bar stays wide enough to point at. */
const DAYS_MOST = 92;
const WEEK = 7;

/** Bars of the days, with the cap of a day as a line. A table says the same to those who cannot see it. */
export function DayChart(props: {
  readonly days: readonly Day[];
  readonly tokens: boolean;
  readonly cap: number | null;
}) {
  const { days, tokens, cap } = props;
  const byWeek = days.length > DAYS_MOST;
  const bars = byWeek ? weeksOf(days) : days;
  const amountOf = (day: Day) => (tokens ? day.tokens : day.usd);
  const say = (day: Day) => (tokens ? `${formatTokens(day.tokens)} tokens` : formatCost(day.usd, day.estimated));
  const line = byWeek ? null : cap;
  const top = Math.max(...bars.map(amountOf), line !== null && line <= 2 * Math.max(...bars.map(amountOf)) ? line : 0);
  const scale = top === 0 ? 0 : (HEIGHT - BAR) / top;
  const width = bars.length * BAR;
  const best = bars.reduce((most, day) => (amountOf(day) > amountOf(most) ? day : most));
  return (
    <div className="day-chart">
      <div className="day-chart-top muted number">
        <span>
          Most on one {byWeek ? 'week' : 'day'}: {say(best)}, {dateOf(best.day)}
        </span>
        {line === null ? null : (
          <span className="day-cap-key">
            <span aria-hidden="true" /> {tokens ? formatTokens(line) : formatMoney(line)} a day
          </span>
        )}
      </div>
      <svg viewBox={`0 0 ${width} ${HEIGHT}`} preserveAspectRatio="none" className="day-bars" aria-hidden="true">
        {bars.map((day, index) => {
          const height = Math.max(amountOf(day) > 0 ? 2 : 0, amountOf(day) * scale);
          return (
            <g key={day.day} className="day-bar">
              <title>{`${dateOf(day.day)}: ${say(day)}`}</title>
              <rect className="day-room" x={index * BAR} y={0} width={BAR} height={HEIGHT} />
              <rect className="day-amount" x={index * BAR + 2} y={HEIGHT - height} width={BAR - 4} height={height} />
            </g>
          );
        })}
        {line === null || line > top ? null : (
          <line className="day-cap" x1={0} x2={width} y1={HEIGHT - line * scale} y2={HEIGHT - line * scale} />
        )}
      </svg>
      <div className="day-ends muted number" aria-hidden="true">
        <span>{dateOf(bars[0]?.day)}</span>
        <span>{dateOf(bars.at(Math.floor(bars.length / 2))?.day)}</span>
        <span>{byWeek ? dateOf(bars.at(-1)?.day) : 'today'}</span>
      </div>
      <table className="unseen">
        <caption>Spending by {byWeek ? 'week' : 'day'}</caption>
        <tbody>
          {bars
            .filter((day) => day.count > 0)
            .map((day) => (
              <tr key={day.day}>
                <th scope="row">{dateOf(day.day)}</th>
                <td>{say(day)}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  );
}

function weeksOf(days: readonly Day[]): Day[] {
  const weeks: Day[] = [];
  for (let end = days.length; end > 0; end -= WEEK) {
    const part = days.slice(Math.max(0, end - WEEK), end);
    weeks.unshift(
      part.reduce((sum, day) => ({
        day: sum.day,
        usd: sum.usd + day.usd,
        estimated: sum.estimated + day.estimated,
        tokens: sum.tokens + day.tokens,
        unpriced: sum.unpriced + day.unpriced,
        count: sum.count + day.count,
      })),
    );
  }
  return weeks;
}

/** A day of the budget, which is one of UTC. */
function dateOf(day = ''): string {
  return new Date(`${day}T00:00:00Z`).toLocaleDateString(undefined, {
    month: 'short',
    day: 'numeric',
    timeZone: 'UTC',
  });
}
