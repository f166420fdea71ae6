import { formatMoney, inert, plural } from '#kernel/text.js';
import { openTask } from '../../data/route.js';
import { elapsed, useNow } from '../../data/time.js';
import { StatusWord } from '../../status/Status.js';
import { type Leg, type Run, relayOf, type Step, stateOf } from './runs.js';

/** Legs of the run in order: who works, the results of the gate, and the files handed on. */
export function Relay({ run, onFile }: { readonly run: Run; onFile(file: string): void }) {
  return (
    <section aria-label="Relay">
      <h2>Status</h2>
      <ol className="relay">
        {relayOf(run).map((leg) => (
          <LegCard key={leg.title} leg={leg} run={run.run} onFile={onFile} />
        ))}
      </ol>
    </section>
  );
}

function LegCard({ leg, run, onFile }: { readonly leg: Leg; readonly run: string; onFile(file: string): void }) {
  const { title, steps, files, gates } = leg;
  const state = stateOf(leg);
  return (
    <li className={`leg is-${state}`}>
      <h3>
        {inert(title)} <StatusWord state={state} />
      </h3>
      <ul className="leg-steps">
        {steps.map((step) => (
          <StepLine key={step.id} step={step} title={title} run={run} />
        ))}
      </ul>
      {gates.length === 0 ? null : (
        <ul className="gates" aria-label={`Gate of ${title}`}>
          {gates.map((gate, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines of a log stay in their places
            <li key={index}>{inert(gate)}</li>
          ))}
        </ul>
      )}
      {files.length === 0 ? null : (
        <ul className="leg-files" aria-label={`Files of ${title}`}>
          {files.map(({ file, state: handed }) => (
            <li key={file}>
              {handed === 'handed-over' ? (
                <button type="button" className="link mono" onClick={() => onFile(file)}>
                  {inert(file)}
                </button>
              ) : (
                <span className="mono muted">{inert(file)} (not started)</span>
              )}
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

const WHO = { person: 'you', command: 'code', role: undefined } as const;

function StepLine({ step, title, run }: { readonly step: Step; readonly title: string; readonly run: string }) {
  const now = useNow();
  const took =
    step.started_at === undefined
      ? ''
      : elapsed(step.started_at, step.completed_at === undefined ? now : Date.parse(step.completed_at));
  const facts = [
    WHO[step.who] ?? (step.seat === undefined || step.seat === step.step ? undefined : inert(step.seat)),
    took === '' ? undefined : took,
    step.attempts > 1 ? plural(step.attempts, 'attempt') : undefined,
    step.usd > 0 ? formatMoney(step.usd) : undefined,
    step.rungs === undefined ? undefined : `helped: ${step.rungs.join(' → ')}`,
  ].filter((fact) => fact !== undefined);
  const why = step.reason ?? (step.state === 'open' || step.state === 'waiting' ? step.why : undefined);
  return (
    <li>
      <div className="step-head">
        <button type="button" className="link" data-row onClick={() => openTask(step.id)}>
          {inert(step.step === title ? 'The work' : step.step)}
          <span className="unseen"> of {title}</span>
        </button>
        <StatusWord state={step.paused && step.state === 'open' ? 'waiting' : step.state} />
      </div>
      {facts.length === 0 ? null : <p className="muted number">{facts.join(' · ')}</p>}
      {why === undefined ? null : <p className="muted">{inert(why.replaceAll(`${run}-`, ''))}</p>}
    </li>
  );
}
