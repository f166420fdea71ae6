/**
 * The leader of the project, its workers, and tasks that no worker can take.
 * @packageDocumentation
 */
import type { ReactNode } from 'react';
import { inert, plural } from '#kernel/text.js';
import type { MachinesAnswer } from '#surfaces/http/contract.js';
import { resourceOf, useResource } from '../../data/resource.js';
import { addressOf } from '../../data/route.js';
import { absolute, elapsed } from '../../data/time.js';
import { CopyIcon } from '../../shell/CopyIcon.js';
import { Failure, Skeleton } from '../../shell/Skeleton.js';
import { Runs, SlotBar, WorkerRow } from './Workers.js';
import './machines.css';

const machinesResource = resourceOf('machine.list', {});
/** Workers join, leave and become unreachable without an event in the log. */
const ASK_MS = 3_000;

type Step = MachinesAnswer['next'][number];

export default function MachinesPage() {
  const { answer, error } = useResource(machinesResource, ASK_MS);
  return (
    <div className="machines">
      <div className="machines-head">
        <h1>Machines</h1>
        {answer === undefined ? null : <p className="muted">{keptIn(answer)}</p>}
      </div>
      {error === undefined ? null : <Failure error={error} />}
      {answer !== undefined ? <Fleet answer={answer} /> : error === undefined ? <Skeleton rows={6} /> : null}
    </div>
  );
}

function keptIn({ database }: MachinesAnswer): string {
  if (database === undefined) return 'The project is kept in files, on this machine';
  return `${inert(database.project)} in ${inert(database.place)}, PostgreSQL ${inert(database.server)}`;
}

function Fleet({ answer }: { readonly answer: MachinesAnswer }) {
  const about = (subject: Step['about']) => answer.next.filter((step) => step.about === subject);
  const isShared = answer.kept === 'database';
  return (
    <>
      {about('remote').map((step) => (
        <div key={step.command} className="banner machines-banner" role="status">
          <p>{inert(step.text)}.</p>
          <CopyIcon text={inert(step.command)} shown />
        </div>
      ))}
      {isShared ? <Figures answer={answer} /> : null}
      <div className="machines-leaders">
        <Leader answer={answer} steps={about('leader')} />
        {isShared ? (
          <Standbys standbys={answer.standbys} steps={about('standbys')} />
        ) : (
          <Panel title="More machines">
            <Steps steps={about('place')} />
            <p className="muted">Then, in a clone of the repository on each of them:</p>
            <CopyIcon text="troupe database use ADDRESS" shown />
            <CopyIcon text="troupe worker start" shown />
          </Panel>
        )}
      </div>
      <Waiting waiting={answer.waiting} />
      {isShared ? <Workers answer={answer} steps={about('workers')} silent={about('silent')} /> : null}
      <Refused refused={answer.refused} at={answer.at} />
    </>
  );
}

function Figures({ answer: { here, slots, workers, silent, waiting } }: { readonly answer: MachinesAnswer }) {
  const far = slots.used;
  return (
    <dl className="machines-figures">
      <Figure name="Running" value={here.used + far} note={`${here.used} at the leader, ${far} at workers`} />
      <Figure
        name="Workers"
        value={workers.total}
        note={silent === 0 ? (workers.total === 0 ? 'none yet' : 'all heard of') : `${silent} silent`}
        isAlarm={silent > 0}
      />
      <Figure name="Free slots" value={slots.total - far} note={`of ${slots.total} at workers`} />
      <Figure
        name="Waiting for a worker"
        value={waiting.total}
        note={
          waiting.total === 0
            ? 'nothing waits'
            : waiting.unmet === 0
              ? 'no free slot'
              : `${waiting.unmet} that no worker can take`
        }
        isAlarm={waiting.unmet > 0}
      />
    </dl>
  );
}

interface FigureProps {
  readonly name: string;
  readonly value: number;
  readonly note: string;
  readonly isAlarm?: boolean;
}

function Figure({ name, value, note, isAlarm = false }: FigureProps) {
  return (
    <div className={isAlarm ? 'figure is-alarm' : 'figure'}>
      <dt>{name}</dt>
      <dd>
        <span className="figure-value number">{value}</span> <span className="figure-note">{note}</span>
      </dd>
    </div>
  );
}

function Panel({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="panel" aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

function Steps({ steps }: { readonly steps: readonly Step[] }) {
  return steps.map((step) => (
    <div key={step.command} className="step">
      <p>{inert(step.text)}:</p>
      <CopyIcon text={inert(step.command)} shown />
    </div>
  ));
}

/** The leader, with the runs on its machine. */
function Leader({ answer, steps }: { readonly answer: MachinesAnswer; readonly steps: readonly Step[] }) {
  const { leader, here, kept } = answer;
  return (
    <Panel title={kept === 'files' ? 'Service' : 'Leader'}>
      {leader === null ? null : (
        <>
          <p className="panel-line">
            <strong className="machine-name">{inert(leader.machine)}</strong>
            <span className="muted">
              {inert(leader.who)}
              {kept === 'files' ? '' : `, epoch ${leader.epoch}`}
            </span>
            {leader.paused ? <span className="worker-state is-draining">◐ paused</span> : null}
          </p>
          {here.works ? (
            <SlotBar used={here.used} slots={here.slots} />
          ) : (
            <p className="muted">Only workers run tasks of this project.</p>
          )}
        </>
      )}
      <Steps steps={steps} />
      {here.runs.length > 0 ? (
        <Runs runs={here.runs} />
      ) : here.works && leader !== null ? (
        <p className="muted">Nothing runs here.</p>
      ) : null}
    </Panel>
  );
}

interface StandbysProps {
  readonly standbys: MachinesAnswer['standbys'];
  readonly steps: readonly Step[];
}

function Standbys({ standbys, steps }: StandbysProps) {
  return (
    <Panel title="Standing by">
      {standbys.length === 0 ? null : (
        <>
          <ul className="standbys">
            {standbys.map(({ who, machine }) => (
              <li key={who} className="panel-line">
                <strong className="machine-name">{inert(machine)}</strong> <span className="muted">{inert(who)}</span>
              </li>
            ))}
          </ul>
          <p className="muted">One of them leads when the leader has been silent for 15 seconds.</p>
        </>
      )}
      <Steps steps={steps} />
      {standbys.length === 0 && steps.length === 0 ? <p className="muted">Nobody.</p> : null}
    </Panel>
  );
}

/** Tasks that wait for a worker; renders nothing if there are none, as the figure above shows that. */
function Waiting({ waiting: { rows, unmet, total } }: { readonly waiting: MachinesAnswer['waiting'] }) {
  if (total === 0) return null;
  const told = rows.reduce((sum, { others }) => sum + 1 + others, 0);
  return (
    <section aria-label="Waiting for a worker">
      <h2>
        Waiting for a worker <span className="count">{total}</span>
      </h2>
      <ul className={unmet > 0 ? 'waiting-rows is-alarm' : 'waiting-rows'}>
        {rows.map((row) => (
          <li key={row.task} className="waiting-row">
            <a className="waiting-task" data-row href={addressOf({ place: 'machines', task: row.task })}>
              <span className="row-title">
                {inert(row.title)}
                {row.others === 0 ? null : <span className="muted"> and {row.others} more</span>}
              </span>
              <span className="row-facts">{inert(row.reason)}</span>
            </a>
            <CopyIcon text={inert(row.command)} />
          </li>
        ))}
      </ul>
      {total > told ? <p className="muted">and {total - told} more</p> : null}
    </section>
  );
}

interface WorkersProps {
  readonly answer: MachinesAnswer;
  readonly steps: readonly Step[];
  readonly silent: readonly Step[];
}

function Workers({ answer: { workers, at }, steps, silent }: WorkersProps) {
  return (
    <section aria-label="Workers">
      <h2>Workers {workers.total === 0 ? null : <span className="count">{workers.total}</span>}</h2>
      {workers.total === 0 ? (
        <div className="empty">
          <Steps steps={steps} />
        </div>
      ) : (
        <ul className="workers">
          {workers.rows.map((worker) => (
            <WorkerRow key={worker.name} worker={worker} at={at} />
          ))}
        </ul>
      )}
      {workers.total > workers.rows.length ? (
        <p className="muted">and {workers.total - workers.rows.length} more</p>
      ) : null}
      {silent.length === 0 ? null : (
        <p className="muted">
          What {silent.length === 1 ? 'a silent worker' : 'silent workers'} had is given to others. Start{' '}
          {silent.length === 1 ? 'it' : 'them'} again there, or take {silent.length === 1 ? 'it' : 'them'} off the list.
        </p>
      )}
    </section>
  );
}

/** Results rejected because their attempts had been reassigned. */
function Refused({ refused: { total, latest }, at }: Pick<MachinesAnswer, 'refused' | 'at'>) {
  if (total === 0) return null;
  return (
    <section aria-label="Came too late">
      <h2>
        Came too late <span className="count">{total}</span>
      </h2>
      <p className="muted">
        {plural(total, 'result')} of attempts that were no longer their worker’s: refused, and nothing was changed.
      </p>
      <ul className="fact-list">
        {latest.map((end) => (
          <li key={`${end.run} ${end.at}`}>
            <span>
              {end.task === undefined ? (
                inert(end.run)
              ) : (
                <a className="link" href={addressOf({ place: 'machines', task: end.task })}>
                  {inert(end.task)}
                </a>
              )}
              <span className="muted">
                {end.task === undefined ? '' : `, ${inert(end.run)}`}
                {end.worker === undefined ? '' : ` at ${inert(end.worker)}`}
              </span>
            </span>
            <time className="muted number" dateTime={end.at} title={absolute(end.at)}>
              {elapsed(end.at, Date.parse(at))} ago
            </time>
          </li>
        ))}
      </ul>
    </section>
  );
}
