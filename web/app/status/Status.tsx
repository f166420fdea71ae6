/**
 * The appearance of a status, from the table in core.
 * @packageDocumentation
 */
import { type Liveness, SHOWN_STATES, type ShownState, STATUS_LOOK, toneOf, wordOf } from '#core/graph/status-look.js';
import type { NowAnswer } from '#surfaces/http/contract.js';

/** The shown state of a stored status. */
export function stateOf(status: string, ready = false): ShownState {
  return ready ? 'ready' : (SHOWN_STATES.find((state) => state === status) ?? 'open');
}

/** Sign of a state. Colour is never the only sign: the word stands beside it or in its label. */
export function Glyph({ state, check }: { readonly state: ShownState; readonly check?: string | undefined }) {
  return (
    <span className={`glyph is-${toneOf(state, check)}`} aria-hidden="true">
      {STATUS_LOOK[state].glyph}
    </span>
  );
}

interface Said {
  readonly state: ShownState;
  /** Whether the run of a task in progress is alive. */
  readonly live?: Liveness | undefined;
  /** Outcome of a check that a finished task did not pass. */
  readonly check?: string | undefined;
  readonly detail?: string;
}

export function StatusWord({ state, live, check, detail }: Said) {
  return (
    <span className={`status is-${toneOf(state, check)}`}>
      <Glyph state={state} check={check} />
      <span>
        {wordOf(state, live, check)}
        {detail === undefined || detail === '' ? null : <span className="status-detail"> {detail}</span>}
      </span>
    </span>
  );
}

/** Order of the segments from done to open; the bar fills from the left. */
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

/** Progress bar, labelled by the numbers below it. */
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
