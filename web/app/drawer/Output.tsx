import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { ShownState } from '#core/graph/status-look.js';
import { inert, shellWord } from '#kernel/text.js';
import { live } from '../data/live.js';
import { resourceOf, useResource } from '../data/resource.js';
import { useStore } from '../data/store.js';
import { CopyIcon } from '../shell/CopyIcon.js';

const TAIL_BYTES = 16_384;
const ASK_MS = 1_500;

/** End of the task's output. Output is not in the event log, so that of a running task is polled. */
export function Output({ id, state }: { readonly id: string; readonly state: ShownState }) {
  const [raw, setRaw] = useState(false);
  const resource = useMemo(() => resourceOf('task.output', { id, bytes: TAIL_BYTES, raw }), [id, raw]);
  const running = state === 'in-progress';
  const { answer } = useResource(resource, running ? ASK_MS : undefined);
  const isLive = useStore(live).kind === 'live';
  const place = useFollowedEnd(answer?.text);
  useEffect(() => {
    if (!running) void resource.load(); // the final output arrives with the end of the run
  }, [running, resource]);
  return (
    <section>
      <div className="with-copy">
        <h3>
          Output {running && isLive ? <span className="live-mark">live</span> : null}{' '}
          {raw || answer?.form === 'words' ? (
            <button type="button" className="quiet" aria-pressed={raw} onClick={() => setRaw(!raw)}>
              raw
            </button>
          ) : null}
        </h3>
        <CopyIcon text={`troupe output ${shellWord(inert(id))}`} />
      </div>
      {answer === undefined ? null : answer.text === '' ? (
        <p className="muted">
          {answer.run === null ? 'It has not run yet. Its output will appear here.' : 'No output yet.'}
        </p>
      ) : (
        <>
          {answer.cut ? <p className="muted">The last part of {Math.ceil(answer.size / 1024)} KiB.</p> : null}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
          <section className="output" ref={place} tabIndex={0} aria-label="Output">
            <pre>{answer.text}</pre>
          </section>
        </>
      )}
    </section>
  );
}

/** Keeps the end in view as text arrives, unless the reader scrolled up. */
function useFollowedEnd(text: string | undefined) {
  const place = useRef<HTMLElement>(null);
  const atEnd = useRef(true);
  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    const note = () => {
      atEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < 24;
    };
    element.addEventListener('scroll', note, { passive: true });
    return () => element.removeEventListener('scroll', note);
  });
  useLayoutEffect(() => {
    const element = place.current;
    if (element !== null && text !== undefined && atEnd.current) element.scrollTop = element.scrollHeight;
  }, [text]);
  return place;
}
