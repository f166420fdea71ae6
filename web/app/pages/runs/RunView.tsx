import { useMemo, useState } from 'react';
import { formatMoney, formatTokens, inert, shellWord } from '#kernel/text.js';
import type { Answer } from '#surfaces/http/contract.js';
import { type ApiError, act } from '../../data/api.js';
import { type Resource, resourceOf, useResource } from '../../data/resource.js';
import { addressOf, openTask } from '../../data/route.js';
import { absolute, elapsed, useNow } from '../../data/time.js';
import { CopyIcon } from '../../shell/CopyIcon.js';
import { Decision } from '../../shell/Decision.js';
import { Reading } from '../../shell/Reading.js';
import { Failure, Skeleton } from '../../shell/Skeleton.js';
import { Criteria, Decided, Notes, Slices, Stuck } from './Delivery.js';
import { Gantt } from './Gantt.js';
import { LineUp } from './LineUp.js';
import { Relay } from './Relay.js';
import { RunFile } from './RunFile.js';
import { type Delivered, linesOf, PENDING_WORDS, type Pending, type Run, type Shown, spanOf } from './runs.js';

type Timeline = Answer<'run.timeline'>;

/** One run, live: of a workflow, or of a formation from its line-up to its result. */
export function RunView({ name }: { readonly name: string }) {
  const times = useMemo(() => resourceOf('run.timeline', { run: name }), [name]);
  const { answer, error } = useResource(times);
  return (
    <>
      <a className="back" href={addressOf({ place: 'runs', view: 'list' })}>
        ← All runs
      </a>
      {answer?.kind === 'formation' ? (
        <FormationRun name={name} timeline={answer} />
      ) : answer !== undefined ? (
        <WorkflowRun timeline={answer} onDone={() => times.load()} />
      ) : error !== undefined ? (
        <Unknown name={name} error={error} />
      ) : (
        <Skeleton rows={6} />
      )}
    </>
  );
}

function Unknown({ name, error }: { readonly name: string; readonly error: ApiError }) {
  return (
    <>
      <h1>{inert(name)}</h1>
      <Failure error={error} />
    </>
  );
}

function WorkflowRun({ timeline, onDone }: { readonly timeline: Timeline; onDone(): Promise<unknown> }) {
  const { run, playbook, kind, outcome, over, rows } = timeline;
  const done = rows.filter(({ state }) => state === 'done').length;
  return (
    <>
      <h1>{inert(run)}</h1>
      <p className="run-facts">
        <a
          className="link"
          href={addressOf({ place: 'runs', view: 'playbooks', item: playbook })}
          title={`Steps of the ${kind}`}
        >
          {inert(playbook)}
        </a>
        <span>{outcome}</span>
        <span className="number">
          {done} of {rows.length} steps done
        </span>
        <CopyIcon text={`troupe playbook status ${shellWord(inert(run))}`} />
      </p>
      <Gantt answer={timeline} />
      {over ? null : <Steering run={run} steers onDone={onDone} />}
    </>
  );
}

function FormationRun({ name, timeline }: { readonly name: string; readonly timeline: Timeline }) {
  const resource = useMemo(() => resourceOf('playbook.status', { run: name }), [name]);
  const { answer, error } = useResource(resource);
  const run = answer?.formation ?? undefined;
  if (run !== undefined)
    return <Whole run={run} delivered={answer?.delivered ?? null} resource={resource} timeline={timeline} />;
  return error === undefined ? <Skeleton rows={6} /> : <Unknown name={name} error={error} />;
}

interface Parts {
  readonly run: Run;
  readonly delivered: Delivered | null;
  readonly resource: Resource<Shown>;
  readonly timeline: Timeline;
}

function Whole({ run, delivered, resource, timeline }: Parts) {
  const [file, setFile] = useState<string>();
  const escalations = linesOf(run.notes, 'escalation');
  const steering = linesOf(run.notes, 'steering');
  const reload = () => resource.load();
  return (
    <>
      <h1>{inert(run.goal)}</h1>
      <Facts run={run} />
      {delivered === null || delivered.stages.length === 0 ? null : <Stages run={run} delivered={delivered} />}
      {run.state === 'proposed' ? (
        <LineUp run={run} onChange={reload} />
      ) : (
        run.pending.map((one) => (
          <Waits
            key={`${one.kind} ${one.task}`}
            run={run}
            pending={one}
            delivered={delivered}
            onFile={setFile}
            onDone={reload}
          />
        ))
      )}
      {run.state === 'proposed' ? null : (
        <>
          <Gantt answer={timeline} />
          <Relay run={run} onFile={setFile} />
        </>
      )}
      {delivered === null ? (
        <p className="muted">File contents are hidden from participants.</p>
      ) : (
        <>
          <Criteria criteria={delivered.criteria} />
          <Stuck stuck={delivered.stuck} />
          <Decided delivered={delivered} />
          <Notes delivered={delivered} />
          <Slices delivered={delivered} />
        </>
      )}
      <Lines title="Escalations" lines={escalations} />
      <Lines title="Your instructions" lines={steering} />
      {run.state === 'ended' ? null : <Steering run={run.run} steers={run.state !== 'proposed'} onDone={reload} />}
      {file === undefined ? null : <RunFile run={run.run} file={file} onClose={() => setFile(undefined)} />}
    </>
  );
}

function Facts({ run }: { readonly run: Run }) {
  const now = useNow();
  const span = spanOf(run);
  const { usd, tokens } = run.spent;
  const options = Object.entries(run.options).filter(([key]) => key !== 'stages');
  return (
    <p className="run-facts">
      <strong>{run.formation}</strong>
      <span>{inert(run.outcome ?? run.state)}</span>
      {options.map(([key, value]) => (
        <span key={key}>
          {inert(key)} {inert(value)}
        </span>
      ))}
      {span === undefined ? (
        <span title={absolute(run.at)}>proposed {elapsed(run.at, now)} ago</span>
      ) : (
        <span className="number" title={absolute(span.from)}>
          {elapsed(span.from, span.to === undefined ? now : Date.parse(span.to))}
        </span>
      )}
      {tokens === 0 && usd === 0 ? null : (
        <span className="number">
          {formatMoney(usd === 0 ? undefined : usd)}, {formatTokens(tokens)} tokens
        </span>
      )}
      <span className="mono muted">{inert(run.folder)}</span>
      <CopyIcon text={`troupe playbook status ${shellWord(inert(run.run))}`} />
    </p>
  );
}

/** Stages of a chain, each with the run it started. */
function Stages({ run, delivered }: { readonly run: Run; readonly delivered: Delivered }) {
  return (
    <section aria-label="Chain">
      <ol className="stages">
        {delivered.stages.map(({ stage, run: name, state }) => (
          <li key={stage} aria-current={name === run.run ? 'step' : undefined}>
            {name === null || name === run.run ? (
              <strong>{stage}</strong>
            ) : (
              <a className="record-link" href={addressOf({ place: 'runs', view: 'list', item: name })}>
                {stage}
              </a>
            )}{' '}
            <span className="muted">{state ?? 'not started'}</span>
          </li>
        ))}
      </ol>
      {run.chain?.stopped === undefined ? null : (
        <p className="is-minus">The chain stopped: {inert(run.chain.stopped)}</p>
      )}
    </section>
  );
}

/** Pending decisions of the run, each with the action that lets it continue. */
function Waits(props: {
  readonly run: Run;
  readonly pending: Pending;
  readonly delivered: Delivered | null;
  onFile(file: string): void;
  onDone(): Promise<unknown>;
}) {
  const { run, pending, delivered, onFile, onDone } = props;
  const { kind, task, command } = pending;
  const step = run.steps.find(({ id }) => id === task);
  const release = delivered?.release ?? null;
  const about = step?.step ?? run.run;
  const done = async (change: () => Promise<unknown>) => {
    await change();
    await onDone();
  };
  const handed = run.files.filter(({ phase, state }) => state === 'handed-over' && about.endsWith(`-${phase}`));
  return (
    <section className="card waits" aria-label="It waits for you">
      <h2>It waits for you to {PENDING_WORDS[kind]}</h2>
      {step === undefined || kind === 'go' ? null : (
        <p>
          <button type="button" className="link" onClick={() => openTask(step.id)}>
            {inert(step.title)}
          </button>
        </p>
      )}
      {handed.length === 0 ? null : (
        <p className="buttons">
          {handed.map(({ file }) => (
            <button key={file} type="button" onClick={() => onFile(file)}>
              Read {inert(file)}
            </button>
          ))}
        </p>
      )}
      {kind === 'go' && release !== null ? (
        <>
          <p>The release runs exactly these commands, which cannot be undone:</p>
          <Reading
            text={release.commands === '' ? '(no commands)' : release.commands}
            label="Commands of the release"
          />
          <Decision
            label="Approve"
            about={`the release of ${run.run}`}
            command={`${command} --seen ${release.sha256}`}
            primary
            act={() => done(() => act('formation.go', { run: run.run, seen: release.sha256 }))}
          />
        </>
      ) : null}
      {task !== undefined && kind !== 'go' && kind !== 'review' ? (
        <Decision
          label={kind === 'failed' ? 'Retry' : 'Done'}
          about={about}
          command={command}
          primary
          act={() => done(() => act(kind === 'failed' ? 'task.retry' : 'task.done', { id: task }))}
        />
      ) : null}
      {kind === 'review' ? <CopyIcon text={command} /> : null}
    </section>
  );
}

function Steering({
  run,
  steers,
  onDone,
}: {
  readonly run: string;
  readonly steers: boolean;
  onDone(): Promise<unknown>;
}) {
  const [typed, setTyped] = useState('');
  const words = typed.trim();
  const name = shellWord(inert(run));
  return (
    <section aria-label="Steer or stop">
      {steers ? (
        <>
          <h2>Steer</h2>
          <label className="field">
            Instruction for the active steps, or else the next one
            <textarea rows={2} value={typed} onChange={(event) => setTyped(event.target.value)} />
          </label>
          <Decision
            label="Send"
            about={`to the steps of ${run}`}
            command={`troupe playbook steer ${name} ${words === '' ? 'TEXT' : shellWord(inert(words, true))}`}
            obstacle={words === '' ? 'Write the instruction first.' : undefined}
            act={async () => {
              await act('playbook.steer', { run, text: words });
              setTyped('');
              await onDone();
            }}
          />
        </>
      ) : null}
      <details>
        <summary>Stop the run</summary>
        <p className="muted">Unfinished tasks are abandoned.</p>
        <Decision
          label="Stop"
          about={run}
          command={`troupe playbook stop ${name}`}
          act={async () => {
            await act('playbook.stop', { run });
            await onDone();
          }}
        />
      </details>
    </section>
  );
}

function Lines({ title, lines }: { readonly title: string; readonly lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <section aria-label={title}>
      <h2>
        {title} <span className="count">{lines.length}</span>
      </h2>
      <ol className="lines">
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of a log stay in their places
          <li key={index}>{inert(line)}</li>
        ))}
      </ol>
    </section>
  );
}
