import { absolute, elapsed, useNow } from '../../data/time.js';

/** Time since a moment, which its tooltip names. */
export function Since({ time, running = false }: { readonly time: string; readonly running?: boolean }) {
  const now = useNow();
  return (
    <time className="number" dateTime={time} title={absolute(time)}>
      {elapsed(time, now)}
      {running ? '' : ' ago'}
    </time>
  );
}
