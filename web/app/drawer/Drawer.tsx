/**
 * The selected task.
 * @packageDocumentation
 */
import { useEffect, useMemo, useRef } from 'react';
import type { ShownState } from '#core/graph/status-look.js';
import { inert, shellWord } from '#kernel/text.js';
import type { Neighbour, ShowAnswer } from '#surfaces/http/contract.js';
import { resourceOf, useResource } from '../data/resource.js';
import { addressOf, openTask, useRoute } from '../data/route.js';
import { CopyIcon } from '../shell/CopyIcon.js';
import { Failure, Skeleton } from '../shell/Skeleton.js';
import { Glyph, StatusWord, stateOf } from '../status/Status.js';
import { Actions, Verdict } from './Actions.js';
import { Attempts } from './Attempts.js';
import { Changes } from './Changes.js';
import { Facts } from './Facts.js';
import { Output } from './Output.js';
import { Talk } from './Talk.js';
import { Log, Prompt, Texts } from './Words.js';

/** Drawer with the selected task, equal on all pages. Focus moves in when it opens and returns when it closes. */
export function Drawer({ id }: { readonly id: string }) {
  const resource = useMemo(() => resourceOf('task.show', { id }), [id]);
  const { answer, error } = useResource(resource);
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    place.current?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <aside className="drawer" aria-label="Task" ref={place} tabIndex={-1}>
      <button type="button" className="quiet drawer-close" aria-label="Close" onClick={() => openTask()}>
        <svg viewBox="0 0 20 20" className="icon" aria-hidden="true">
          <path d="M5 5l10 10M15 5 5 15" />
        </svg>
      </button>
      {answer !== undefined ? (
        <TaskFacts answer={answer} />
      ) : error !== undefined ? (
        <Failure error={error} />
      ) : (
        <Skeleton rows={5} />
      )}
    </aside>
  );
}

/** Heading of the reason, for states other than failed. */
const FAILED: Partial<Record<ShownState, string>> = { 'pending-validation': 'Why it needs review' };

function TaskFacts({ answer }: { readonly answer: ShowAnswer }) {
  const { task } = answer;
  const state = stateOf(task.status, answer.ready);
  const failure = typeof task['failure_reason'] === 'string' ? inert(task['failure_reason']) : undefined;
  const why = failure === undefined ? answer.reasons.map((reason) => inert(reason)) : [failure];
  const exec = typeof task['exec'] === 'string' ? task['exec'] : undefined;
  const id = inert(task.id);
  return (
    <>
      <header className="drawer-head">
        <StatusWord state={state} live={answer.live} check={answer.check} />
        <h2>{inert(task.title)}</h2>
        <p className="drawer-id">
          <span className="mono muted">{id}</span>
          <CopyIcon text={`troupe show ${shellWord(id)}`} />
        </p>
        <a className="link" href={addressOf({ place: 'tasks', view: 'task', item: task.id })}>
          {state === 'pending-validation' ? 'Review it on its page' : 'Open its page'}
        </a>
      </header>
      {why.length === 0 ? null : (
        <section className={`why is-${state}`}>
          <h3>{failure === undefined ? 'Why it is not running' : (FAILED[state] ?? 'Why it failed')}</h3>
          {why.map((reason) => (
            <p key={reason}>{reason}</p>
          ))}
        </section>
      )}
      <Talk task={task} state={state} />
      {answer.last_words === undefined ? null : (
        <section>
          <h3>Last words of its run</h3>
          <p className="last-words">{inert(answer.last_words, true)}</p>
        </section>
      )}
      <Texts task={task} />
      {typeof task['fence'] === 'number' ? <Changes id={task.id} fence={task['fence']} /> : null}
      <Facts answer={answer} />
      {state === 'pending-validation' ? <Verdict id={task.id} /> : null}
      <Actions task={task} state={state} />
      {exec === undefined ? null : (
        <section>
          <h3>Runs</h3>
          <code className="exec">{inert(exec)}</code>
        </section>
      )}
      <Output id={task.id} state={state} />
      {exec === undefined && typeof task['fence'] === 'number' ? <Prompt id={task.id} attempt={task['fence']} /> : null}
      {typeof task['fence'] === 'number' ? <Attempts id={task.id} /> : null}
      <Log entries={task['log']} />
      <Neighbours title="Depends on" none="No dependencies." tasks={answer.after} />
      <Neighbours title="Dependents" none="No dependents." tasks={answer.before} />
    </>
  );
}

function Neighbours({
  title,
  none,
  tasks,
}: {
  readonly title: string;
  readonly none: string;
  readonly tasks: readonly Neighbour[];
}) {
  const route = useRoute();
  return (
    <section>
      <h3>
        {title} {tasks.length === 0 ? null : <span className="count">{tasks.length}</span>}
      </h3>
      {tasks.length === 0 ? <p className="muted">{none}</p> : null}
      <ul className="neighbours">
        {tasks.map((task) => (
          <li key={task.id}>
            {task.status === 'missing' ? (
              <span className="muted">{inert(task.id)} (no such task)</span>
            ) : (
              <a href={addressOf({ ...route, task: task.id })}>
                <Glyph state={stateOf(task.status)} />
                <span>{inert(task.title)}</span>
                <span className="unseen">, {task.status}</span>
              </a>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
