import { useEffect, useState } from 'react';
import { live, retryNow } from '../data/live.js';
import { useStore } from '../data/store.js';
import { clockTime } from '../data/time.js';

/** Says that the page is a picture of the past, as long as it is one. */
export function Banner() {
  const state = useStore(live);
  return (
    <div role="status" aria-live="polite">
      {state.kind === 'dropped' ? (
        <div className="banner">
          <p>
            <strong>Not live.</strong> Troupe does not answer; what you see is from {clockTime(state.asOf)}.{' '}
            <Countdown until={state.retryAt} />
          </p>
          <button type="button" onClick={retryNow}>
            Try now
          </button>
        </div>
      ) : null}
    </div>
  );
}

function Countdown({ until }: { readonly until: number }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.ceil((until - now) / 1_000);
  return <span aria-hidden="true">{seconds > 0 ? `Next try in ${seconds}s.` : 'Trying…'}</span>;
}
