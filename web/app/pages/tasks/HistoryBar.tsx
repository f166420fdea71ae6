import { type KeyboardEvent, useEffect } from 'react';
import { absolute } from '../../data/time.js';
import { eventWords, type Moment } from './history.js';

/** Time that a moment is shown while the history plays. */
const MOMENT_MS = 700;

interface BarProps {
  /** Undefined until it is loaded. */
  readonly moment: Moment | undefined;
  /** Event that is asked for, which the slider shows at once. */
  readonly event: number;
  /** The last event of the log. */
  readonly last: number;
  readonly playing: boolean;
  onPlay(playing: boolean): void;
  onGo(event: number): void;
  onNow(): void;
}

/** A slider over the log. Steps lead to the nearest event that changes what is drawn. */
export function HistoryBar({ moment, event, last, playing, onPlay, onGo, onNow }: BarProps) {
  const { before, next } = moment ?? {};
  const isThere = moment?.seq === event;
  useEffect(() => {
    if (!playing || !isThere) return undefined;
    const timer = setTimeout(() => (next === undefined ? onPlay(false) : onGo(next)), MOMENT_MS);
    return () => clearTimeout(timer);
  }, [playing, isThere, next, onPlay, onGo]);
  const step = (to: number | undefined) => {
    onPlay(false);
    if (to !== undefined) onGo(to);
  };
  const onKeyDown = (key: KeyboardEvent) => {
    const to = { ArrowLeft: before, ArrowDown: before, ArrowRight: next, ArrowUp: next }[key.key];
    if (!key.key.startsWith('Arrow')) return;
    key.preventDefault();
    if (isThere) step(to);
  };
  const words = moment === undefined ? '' : eventWords(moment);
  const first = moment?.first ?? 1;
  return (
    <section className="history-bar" aria-label="History">
      <div className="history-acts">
        <button type="button" disabled={before === undefined} onClick={() => step(before)}>
          <span aria-hidden="true">‹</span>
          <span className="unseen">Event before</span>
        </button>
        <button
          type="button"
          className="history-play"
          disabled={next === undefined && !playing}
          onClick={() => onPlay(!playing)}
        >
          {playing ? 'Pause' : 'Play'}
        </button>
        <button type="button" disabled={next === undefined} onClick={() => step(next)}>
          <span aria-hidden="true">›</span>
          <span className="unseen">Next event</span>
        </button>
      </div>
      <input
        type="range"
        aria-label="Event of the log"
        aria-valuetext={moment === undefined ? undefined : `${words}, ${absolute(moment.timestamp)}`}
        min={Math.min(first, event)}
        max={Math.max(last, event)}
        value={event}
        onChange={({ target }) => step(Number(target.value))}
        onKeyDown={onKeyDown}
      />
      <button type="button" className="primary" onClick={onNow}>
        Now
      </button>
      <p className="history-words">
        <time className="number" dateTime={moment?.timestamp}>
          {moment === undefined ? '' : absolute(moment.timestamp)}
        </time>{' '}
        <span>{words}</span>{' '}
        <span className="muted number">
          · event {event} of {last}
          {first > 1 ? `; earlier than ${first} is not kept here` : ''}
        </span>
      </p>
    </section>
  );
}
