import { useState } from 'react';
import { formatDuration } from '#kernel/duration.js';
import { formatCost, formatTokens, inert } from '#kernel/text.js';
import type { Answer } from '#surfaces/http/contract.js';
import { useNow } from '../../data/time.js';

type Step = Answer<'task.steps'>['steps'][number];

const SHORT = 320;

const KINDS = [
  { name: 'all', label: 'All', holds: () => true },
  { name: 'tools', label: 'Tool calls', holds: ({ kind }: Step) => kind === 'tool' },
  { name: 'words', label: 'Words', holds: ({ kind }: Step) => kind === 'text' || kind === 'end' },
  {
    name: 'trouble',
    label: 'Trouble',
    holds: ({ kind, state, name }: Step) =>
      kind === 'error' || state === 'failed' || state === 'rejected' || (kind === 'end' && name === 'failed'),
  },
] as const;

const MARKS: Readonly<Record<Step['kind'], string>> = {
  start: '○',
  answer: '◇',
  text: '¶',
  tool: '›',
  error: '!',
  end: '●',
};
const ENDS = { running: 'running', succeeded: '', failed: 'failed', rejected: 'refused' } as const;

/** Steps of a run one below the other, each with its place in the time of the whole run. */
export function Steps({
  answer,
  begun,
  ended,
}: {
  readonly answer: Answer<'task.steps'>;
  readonly begun: string | undefined;
  readonly ended: string | undefined;
}) {
  const [chosen, setChosen] = useState<(typeof KINDS)[number]['name']>('all');
  const now = useNow();
  const { steps, cut, left_out: leftOut } = answer;
  const times = steps.flatMap(({ at }) => (at === undefined ? [] : [Date.parse(at)]));
  const from = Date.parse(begun ?? '') || Math.min(...times);
  const to = Math.max(from + 1, ended === undefined ? (answer.running ? now : 0) : Date.parse(ended), ...times);
  const kind = KINDS.find(({ name }) => name === chosen) ?? KINDS[0];
  const shown = steps.filter((step) => kind.holds(step));
  return (
    <>
      <fieldset className="choice">
        <legend className="unseen">Steps shown</legend>
        {KINDS.map(({ name, label, holds }) => (
          <button
            key={name}
            type="button"
            className="quiet"
            aria-pressed={chosen === name}
            onClick={() => setChosen(name)}
          >
            {label} <span className="count">{steps.filter((step) => holds(step)).length}</span>
          </button>
        ))}
      </fieldset>
      {cut || leftOut > 0 ? <p className="muted">Earlier steps are left out.</p> : null}
      {shown.length === 0 ? <p className="muted">None.</p> : null}
      <ol className="steps">
        {shown.map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps have no other name than their place
          <StepRow key={index} step={step} from={from} to={to} />
        ))}
      </ol>
    </>
  );
}

function StepRow({ step, from, to }: { readonly step: Step; readonly from: number; readonly to: number }) {
  const { kind, at, ms = 0, tokens, cached, cost_usd: cost, estimated_usd: estimated } = step;
  // A call is known when it begins, an answer when it is there.
  const begin = at === undefined ? undefined : Date.parse(at) - (kind === 'answer' ? ms : 0);
  const share = (part: number) => `${Math.min(100, Math.max(0, (100 * part) / (to - from)))}%`;
  const looks = ['step', `is-${kind}`, ...(isTrouble(step) ? ['is-trouble'] : [])];
  return (
    <li className={looks.join(' ')}>
      <span className="step-at number">{begin === undefined ? '' : offset(begin - from)}</span>
      <span className="step-mark" aria-hidden="true">
        {MARKS[kind]}
      </span>
      <div className="step-words">
        <StepWords step={step} />
      </div>
      <span className="step-figures number">
        {ms === 0 ? null : <span>{formatDuration(ms)}</span>}
        {tokens === undefined ? null : (
          <span title={cached === undefined ? undefined : `and ${formatTokens(cached)} from the cache`}>
            {formatTokens(tokens)} tokens
          </span>
        )}
        {cost === undefined ? null : <span>{formatCost(cost, estimated)}</span>}
      </span>
      {begin === undefined || ms === 0 ? null : (
        <span className="step-track" aria-hidden="true">
          <span
            className="step-bar"
            style={{ left: `min(${share(begin - from)}, calc(100% - 2px))`, width: share(ms) }}
          />
        </span>
      )}
    </li>
  );
}

function isTrouble({ kind, state, name }: Step): boolean {
  return kind === 'error' || state === 'failed' || state === 'rejected' || (kind === 'end' && name === 'failed');
}

function StepWords({ step }: { readonly step: Step }) {
  const { kind, name, text = '', state, result } = step;
  switch (kind) {
    case 'start':
      return <span className="muted">Started with {inert(name ?? '')}</span>;
    case 'answer':
      return <strong>Turn {step.turn}</strong>;
    case 'tool':
      return (
        <>
          <span className="step-tool">
            <strong className="mono">{inert(name ?? '')}</strong> <span className="mono">{inert(text)}</span>
          </span>
          {state === undefined || ENDS[state] === '' ? null : <span className="step-state"> {ENDS[state]}</span>}
          {result === undefined ? null : <span className="step-result mono">{inert(result)}</span>}
        </>
      );
    case 'end':
      return (
        <span>
          <strong>{name === 'succeeded' ? 'Finished' : 'Failed'}</strong> {inert(text)}
        </span>
      );
    case 'error':
    case 'text':
      return <Words text={text} />;
  }
}

function Words({ text }: { readonly text: string }) {
  const [all, setAll] = useState(false);
  const isLong = text.length > SHORT;
  return (
    <>
      <span className="long-text">{inert(all || !isLong ? text : `${text.slice(0, SHORT)}…`, true)}</span>
      {isLong ? (
        <button type="button" className="link" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? 'Less' : 'All of it'}
        </button>
      ) : null}
    </>
  );
}

/** Time since the start, as `1:09`. */
function offset(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1_000));
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  const rest = String(seconds % 60).padStart(2, '0');
  return hours === 0 ? `${minutes}:${rest}` : `${hours}:${String(minutes).padStart(2, '0')}:${rest}`;
}
