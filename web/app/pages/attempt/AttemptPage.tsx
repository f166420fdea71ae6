/**
 * An attempt at a task over time, alone or beside another one.
 * @packageDocumentation
 */
import { useMemo } from 'react';
import { formatDuration } from '#kernel/duration.js';
import { formatCost, formatTokens, inert, plural } from '#kernel/text.js';
import type { Answer, TracedRun } from '#surfaces/http/contract.js';
import { live } from '../../data/live.js';
import { resourceOf, UNASKED, useResource } from '../../data/resource.js';
import { addressOf, filterBy, useRoute } from '../../data/route.js';
import { useStore } from '../../data/store.js';
import { absolute, elapsed, useNow } from '../../data/time.js';
import { Output } from '../../drawer/Output.js';
import { CopyIcon } from '../../shell/CopyIcon.js';
import { Failure, Skeleton } from '../../shell/Skeleton.js';
import { stateOfRun } from '../../status/runs.js';
import { StatusWord } from '../../status/Status.js';
import { Steps } from './Steps.js';
import './attempt.css';

/** Events of a client are not in the log of the graph, so those of a run at work are polled. */
const ASK_MS = 1_500;

export default function AttemptPage() {
  const { item, filters } = useRoute();
  if (item === undefined) return <p className="muted">No run is named in the address.</p>;
  return <Attempt key={item} id={item} other={filters?.['with']} />;
}

function Attempt({ id, other }: { readonly id: string; readonly other: string | undefined }) {
  const steps = useSteps(id);
  const beside = useSteps(other);
  const task = steps.answer?.task;
  const resource = useMemo(() => (task === undefined ? UNASKED : resourceOf('task.attempts', { id: task })), [task]);
  const attempts = useResource(resource);
  if (steps.answer === undefined)
    return (
      <div className="attempt-page">
        {steps.error === undefined ? <Skeleton rows={8} /> : <Failure error={steps.error} />}
      </div>
    );
  if (attempts.answer === undefined && attempts.error === undefined)
    return (
      <div className="attempt-page">
        <Skeleton rows={8} />
      </div>
    );
  const runs = attempts.answer?.runs ?? [];
  const name = steps.answer.run ?? id;
  const others = runs.filter(({ run }) => run !== name);
  return (
    <div className="attempt-page">
      <header className="attempt-page-head">
        <p className="muted">
          <a className="link" href={addressOf({ place: 'tasks', view: 'task', item: steps.answer.task })}>
            {inert(steps.answer.task)}
          </a>
        </p>
        <h1>{titleOf(name, runs)}</h1>
        <p className="attempt-choice">
          {others.length === 0 ? null : (
            <label>
              Compare with{' '}
              <select value={other ?? ''} onChange={(event) => filterBy({ with: event.target.value })}>
                <option value="">nothing</option>
                {others.map(({ run }) => (
                  <option key={run} value={run}>
                    {titleOf(run, runs)}
                  </option>
                ))}
              </select>
            </label>
          )}
          <CopyIcon text={`troupe task steps ${inert(name)}`} />
        </p>
      </header>
      <div className={other === undefined ? 'attempt-columns' : 'attempt-columns is-two'}>
        <Column answer={steps.answer} run={runs.find(({ run }) => run === name)} runs={runs} />
        {other === undefined ? null : beside.answer === undefined ? (
          beside.error === undefined ? (
            <Skeleton rows={8} />
          ) : (
            <Failure error={beside.error} />
          )
        ) : (
          <Column answer={beside.answer} run={runs.find(({ run }) => run === other)} runs={runs} />
        )}
      </div>
    </div>
  );
}

function useSteps(id: string | undefined) {
  const resource = useMemo(() => (id === undefined ? UNASKED : resourceOf('task.steps', { id })), [id]);
  const running = useStore(resource.state).answer?.running === true;
  return useResource(resource, running ? ASK_MS : undefined);
}

function titleOf(run: string, runs: readonly TracedRun[]): string {
  const attempt = runs.find((one) => one.run === run)?.attempt;
  return attempt === undefined ? inert(run) : `Attempt ${attempt}, ${inert(run)}`;
}

/** One attempt: its figures, and its steps, or what its command printed. */
function Column({
  answer,
  run,
  runs,
}: {
  readonly answer: Answer<'task.steps'>;
  readonly run: TracedRun | undefined;
  readonly runs: readonly TracedRun[];
}) {
  const isLive = useStore(live).kind === 'live' && answer.running;
  const name = answer.run ?? run?.run ?? answer.task;
  const state = run === undefined ? undefined : stateOfRun(run);
  return (
    <section className="attempt-column" aria-label={titleOf(name, runs)}>
      <p className="attempt-state">
        {state === undefined ? null : <StatusWord state={state} live={answer.running} />}
        {isLive ? <span className="live-mark">live</span> : null}
        <span className="muted">
          {[run?.executor, answer.model]
            .filter((word) => word !== undefined)
            .map((word) => inert(word))
            .join(' · ')}
        </span>
      </p>
      <Figures answer={answer} run={run} />
      {run?.reason === undefined || run.reason === '' ? null : (
        <p className={`reason is-${state}`}>{inert(run.reason)}</p>
      )}
      {answer.steps.length === 0 ? (
        <Output id={answer.task} state={answer.running ? 'in-progress' : 'done'} />
      ) : (
        <Steps answer={answer} begun={run?.timestamp} ended={run?.ended_at} />
      )}
    </section>
  );
}

/** Time and money that it took. */
function Figures({ answer, run }: Pick<Parameters<typeof Column>[0], 'answer' | 'run'>) {
  const now = useNow();
  const end = run?.ended_at === undefined ? now : Date.parse(run.ended_at);
  const whole = run === undefined ? 0 : end - Date.parse(run.timestamp);
  const rest = Math.max(0, whole - answer.model_ms - answer.tool_ms);
  const figures: readonly (readonly [name: string, value: string | undefined, more?: string | undefined])[] = [
    ['Duration', run === undefined ? undefined : elapsed(run.timestamp, end), run && absolute(run.timestamp)],
    ['Model', answer.model_ms === 0 ? undefined : formatDuration(answer.model_ms), 'Until each answer was there'],
    ['Tools', answer.tool_ms === 0 ? undefined : formatDuration(answer.tool_ms), 'Calls side by side count once each'],
    ['Other', whole === 0 || answer.steps.length === 0 ? undefined : formatDuration(rest), 'Start, waiting, check'],
    [
      'Steps',
      run?.turns == null || run.turns === 0
        ? undefined
        : `${plural(run.turns, 'turn')}, ${plural(run.tool_calls ?? 0, 'call')}`,
    ],
    ['Tokens', run?.tokens == null ? undefined : formatTokens(run.tokens)],
    ['Cost', run?.cost_usd == null ? undefined : formatCost(run.cost_usd, run.estimated_usd)],
    [
      'Check',
      run?.check && `${run.check.passed ? '✓' : '✕'} ${inert(run.check.text)}`,
      run?.check && inert(run.check.command),
    ],
  ];
  return (
    <dl className="figures number">
      {figures.flatMap(([name, value, more]) =>
        value === undefined ? (
          []
        ) : (
          <div key={name} title={more}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}
