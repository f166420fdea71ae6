import { type ShownState, STATUS_LOOK } from '#core/graph/status-look.js';
import type { NowAnswer } from '#surfaces/http/contract.js';
import { Glyph } from './Status.js';

/** From settled to far away: the bar fills from the left. */
const ORDER: readonly ShownState[] = [
  'done',
  'failed',
  'abandoned',
  'pending-validation',
  'blocked',
  'in-progress',
  'waiting',
  'ready',
  'open',
];

export type Counts = NowAnswer['counts'];

/** How far the work is: one bar, labelled by the numbers below it. */
export function Progress({ counts }: { readonly counts: Counts }) {
  const present = ORDER.filter((state) => counts[state] > 0);
  const total = present.reduce((sum, state) => sum + counts[state], 0);
  if (total === 0) return null;
  const settled = counts.done + counts.failed + counts.abandoned;
  return (
    <section className="progress" aria-label="Progress">
      <p className="progress-total">
        <strong>{settled}</strong> of {total} finished
      </p>
      <div className="progress-bar" aria-hidden="true">
        {present.map((state) => (
          <span key={state} className={`progress-part is-${state}`} style={{ flexGrow: counts[state] }} />
        ))}
      </div>
      <ul className="progress-counts">
        {present.map((state) => (
          <li key={state} className={`is-${state}`}>
            <Glyph state={state} />
            <span className="number">{counts[state]}</span> {STATUS_LOOK[state].word}
          </li>
        ))}
      </ul>
    </section>
  );
}
