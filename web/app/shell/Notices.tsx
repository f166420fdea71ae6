import { useEffect, useRef, useState } from 'react';
import { useAction } from '../data/action.js';
import { type Notice, notice } from '../data/notices.js';
import { nowResource } from '../data/resource.js';
import { useStore } from '../data/store.js';

/** Long enough to read it, think, and reach the button. */
const SHOWN_MS = 10_000;

/** The last act and its way back. Stays while the pointer or the focus is on it. */
export function Notices() {
  const current = useStore(notice);
  const latest = useRef({ notice: current, number: 0 });
  // Two notices may say the same and are two all the same: the trouble with the first is not one with the second.
  if (latest.current.notice !== current) latest.current = { notice: current, number: latest.current.number + 1 };
  return (
    <div className="notices" role="status" aria-live="polite">
      {current === undefined ? null : <Shown key={latest.current.number} notice={current} />}
    </div>
  );
}

function Shown({ notice: { text, back } }: { readonly notice: Notice }) {
  const { busy, trouble, run } = useAction();
  const [kept, setKept] = useState(false);
  const { answer } = useStore(nowResource.state);
  const running = new Set(answer?.running.rows.map(({ id }) => id));
  const isTooLate = back === undefined || (back.ids.length > 0 && back.ids.every((id) => running.has(id)));
  useEffect(() => {
    if (kept || busy || trouble !== undefined) return undefined;
    const timer = setTimeout(() => notice.set(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [kept, busy, trouble]);
  const takeBack = () =>
    run(async () => {
      await back?.run();
    });
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the pointer only keeps it from going
    <div
      className="notice"
      onPointerEnter={() => setKept(true)}
      onPointerLeave={() => setKept(false)}
      onFocus={() => setKept(true)}
      onBlur={() => setKept(false)}
    >
      <p className="notice-text">
        {text}
        {trouble === undefined ? null : (
          <span className="notice-trouble">
            {trouble.message} {trouble.hint}
          </span>
        )}
      </p>
      {isTooLate || trouble !== undefined ? null : (
        <button type="button" data-key="u" disabled={busy} onClick={() => void takeBack()}>
          {back?.label}
        </button>
      )}
      <button type="button" className="quiet" aria-label="Close the notice" onClick={() => notice.set(undefined)}>
        ×
      </button>
    </div>
  );
}
