/**
 * One look of a status, from the table in core.
 * @packageDocumentation
 */
import { type ShownState, STATUS_LOOK, wordOf } from '#core/graph/status-look.js';

/** The sign of a state. Colour is never the only one: a word stands beside it or in its label. */
export function Glyph({ state }: { readonly state: ShownState }) {
  return (
    <span className={`glyph is-${state}`} aria-hidden="true">
      {STATUS_LOOK[state].glyph}
    </span>
  );
}

interface Said {
  readonly state: ShownState;
  /** Of one in progress: whether a run is at work on it. */
  readonly live?: boolean | undefined;
  readonly detail?: string;
}

export function StatusWord({ state, live, detail }: Said) {
  return (
    <span className={`status is-${state}`}>
      <Glyph state={state} />
      <span>
        {wordOf(state, live)}
        {detail === undefined || detail === '' ? null : <span className="status-detail"> {detail}</span>}
      </span>
    </span>
  );
}
