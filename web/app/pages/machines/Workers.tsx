import { inert, shellWord } from '#kernel/text.js';
import type { MachinesAnswer } from '#surfaces/http/contract.js';
import { addressOf } from '../../data/route.js';
import { absolute, elapsed, useNow } from '../../data/time.js';
import { CopyIcon } from '../../shell/CopyIcon.js';
import { Glyph } from '../../status/Status.js';

type Worker = MachinesAnswer['workers']['rows'][number];
type Run = Worker['runs'][number];

/** More slots are shown as one bar. */
const SEGMENTS_MOST = 16;
const SIGNS: Readonly<Record<Worker['state'], string>> = {
  idle: '○',
  working: '●',
  draining: '◐',
  stopping: '◑',
  unagreed: '!',
  silent: '✕',
};
const MEANINGS: Readonly<Record<Worker['state'], string>> = {
  idle: 'waits for something to do',
  working: 'has attempts in progress',
  draining: 'takes nothing new, and goes when its runs have ended',
  stopping: 'ends its runs, publishes what they made, and goes',
  unagreed: 'takes nothing: nobody there agreed to this leader',
  silent: 'not heard of for 30 seconds or more',
};

/** Share of used slots; undefined if their number is unknown. */
export function SlotBar({ used, slots }: { readonly used: number; readonly slots: number | null }) {
  const most = slots ?? used;
  return (
    <p className="slots">
      {most === 0 ? null : most <= SEGMENTS_MOST ? (
        <span className="slot-bar" aria-hidden="true">
          {Array.from({ length: most }, (_, slot) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: slots have no identity
            <span key={slot} className={slot < used ? 'slot is-taken' : 'slot'} />
          ))}
        </span>
      ) : (
        <span className="slot-bar" aria-hidden="true">
          <span className="slot is-taken" style={{ flexGrow: Math.min(used, most) }} />
          <span className="slot" style={{ flexGrow: Math.max(0, most - used) }} />
        </span>
      )}
      <span className="number">
        {used}
        {slots === null ? '' : `/${slots}`}
      </span>
      <span className="slots-word">slots taken</span>
    </p>
  );
}

/** Current attempts, each a link to its task. */
export function Runs({ runs }: { readonly runs: readonly Run[] }) {
  return (
    <ul className="machine-runs">
      {runs.map((run) => (
        <li key={run.run}>
          <a data-row href={addressOf({ place: 'machines', task: run.task })} title={inert(`${run.task}, ${run.run}`)}>
            <Glyph state="in-progress" />
            <span className="machine-run-title">{inert(run.title)}</span>
            <span className="muted">
              {run.executor === undefined ? '' : inert(run.executor)} <Lasting since={run.started_at} />
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Time since an event; less than a second is `just now`. */
function lately(time: string, at: string): string {
  return Date.parse(at) - Date.parse(time) < 1_000 ? 'just now' : `${elapsed(time, Date.parse(at))} ago`;
}

function Lasting({ since }: { readonly since: string | undefined }) {
  const now = useNow();
  if (since === undefined) return null;
  return (
    <time className="number" dateTime={since} title={absolute(since)}>
      {elapsed(since, now)}
    </time>
  );
}

export function WorkerRow({ worker, at }: { readonly worker: Worker; readonly at: string }) {
  const { name, state } = worker;
  const isSilent = state === 'silent';
  const word = shellWord(inert(name));
  return (
    <li className={isSilent ? 'worker is-silent' : 'worker'}>
      <div className="worker-who">
        <h3 className="machine-name">{inert(name)}</h3>
        <span className={`worker-state is-${state}`} title={MEANINGS[state]}>
          <span aria-hidden="true">{SIGNS[state]}</span> {state}
        </span>
        <span className="muted worker-at">
          {inert(worker.at)}, {inert(worker.version)}
        </span>
      </div>
      <SlotBar used={worker.used} slots={worker.slots} />
      <div className="worker-has">
        <Chips kind="labels" title={`Labels of ${inert(name)}`} words={worker.labels} />
        <Chips kind="clients" title={`Clients of ${inert(name)}`} words={worker.executors} />
      </div>
      <div className="worker-runs">
        {worker.runs.length > 0 ? (
          <Runs runs={worker.runs} />
        ) : (
          <p className="muted">{isSilent ? 'What it had is given to others.' : 'Nothing to do.'}</p>
        )}
      </div>
      <p className="worker-heard muted">
        heard{' '}
        <time className="number" dateTime={worker.last_heard} title={absolute(worker.last_heard)}>
          {lately(worker.last_heard, at)}
        </time>
      </p>
      <p className="worker-acts">
        {isSilent ? null : (
          <>
            Drain <CopyIcon text={`troupe worker drain ${word}`} />
          </>
        )}
        {isSilent ? 'Take off the list' : 'Stop'} <CopyIcon text={`troupe worker stop ${word}`} />
      </p>
    </li>
  );
}

interface ChipsProps {
  readonly kind: 'labels' | 'clients';
  readonly title: string;
  readonly words: readonly string[];
}

function Chips({ kind, title, words }: ChipsProps) {
  if (words.length === 0) return null;
  return (
    <ul className={`chips is-${kind}`} aria-label={title}>
      {words.map((word) => (
        <li key={word}>{inert(word)}</li>
      ))}
    </ul>
  );
}
