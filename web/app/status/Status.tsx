import { type ShownState, STATUS_LOOK } from '#core/graph/status-look.js';

/** The sign of a state. Colour is never the only one: a word stands beside it or in its label. */
export function Glyph({ state }: { readonly state: ShownState }) {
  return (
    <span className={`glyph is-${state}`} aria-hidden="true">
      {STATUS_LOOK[state].glyph}
    </span>
  );
}

export function StatusWord({ state, detail }: { readonly state: ShownState; readonly detail?: string }) {
  return (
    <span className={`status is-${state}`}>
      <Glyph state={state} />
      <span>
        {STATUS_LOOK[state].word}
        {detail === undefined || detail === '' ? null : <span className="status-detail"> {detail}</span>}
      </span>
    </span>
  );
}
