/**
 * The selected task.
 * @packageDocumentation
 */
import { useEffect, useMemo, useRef, useState } from 'react';
import { SHOWN_STATES, type ShownState } from '#core/graph/status-look.js';
import { inert, shellWord } from '#kernel/text.js';
import type { Neighbour, ShowAnswer } from '#surfaces/http/contract.js';
import { ApiError, act, askFor } from '../data/api.js';
import { resourceOf, useResource } from '../data/resource.js';
import { addressOf, openTask, useRoute } from '../data/route.js';
import { Failure, Skeleton } from '../shell/Skeleton.js';
import { Glyph, StatusWord } from '../status/Status.js';
import { Command } from './Command.js';
import { Facts } from './Facts.js';
import { Output } from './Output.js';

/** The selected task, the same everywhere. Focus moves in when it opens and back when it closes. */
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

/** Of what its reason tells, where it did not fail. */
const FAILED: Partial<Record<ShownState, string>> = { 'pending-validation': 'Why it needs a review' };

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
        <StatusWord state={state} live={answer.live} />
        <h2>{inert(task.title)}</h2>
        <p className="mono muted">{id}</p>
      </header>
      {why.length === 0 ? null : (
        <section className={`why is-${state}`}>
          <h3>{failure === undefined ? 'Why it is not running' : (FAILED[state] ?? 'Why it failed')}</h3>
          {why.map((reason) => (
            <p key={reason}>{reason}</p>
          ))}
        </section>
      )}
      {answer.last_words === undefined ? null : (
        <section>
          <h3>Last words of its run</h3>
          <p className="last-words">{inert(answer.last_words, true)}</p>
        </section>
      )}
      {state === 'pending-validation' ? <Verdict id={task.id} /> : null}
      <Facts task={task} />
      {exec === undefined ? null : (
        <section>
          <h3>Runs</h3>
          <code className="exec">{inert(exec)}</code>
        </section>
      )}
      <Output id={task.id} state={state} />
      {exec === undefined && typeof task['fence'] === 'number' ? <Prompt id={task.id} attempt={task['fence']} /> : null}
      <Neighbours title="Waits for" none="Nothing: it could start first." tasks={answer.after} />
      <Neighbours title="Needed by" none="Nothing waits for it." tasks={answer.before} />
      <section>
        <h3>In the terminal</h3>
        <Command text={`troupe show ${id}`} />
        <Command text={`troupe output ${id}`} />
        {state === 'failed' ? <Command text={`troupe retry ${id}`} /> : null}
      </section>
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
                <Glyph state={stateOf(task.status, false)} />
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

function stateOf(status: string, ready: boolean): ShownState {
  return ready ? 'ready' : (SHOWN_STATES.find((state) => state === status) ?? 'open');
}

/** Accept the work, or send it back with a reason; and the commands that do the same. */
function Verdict({ id }: { readonly id: string }) {
  const [reason, setReason] = useState('');
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<string>();
  const reasonFlag = reason.trim() === '' ? '' : ` --reason ${shellWord(inert(reason.trim(), true))}`;
  const say = async (verb: 'approve' | 'reject') => {
    setBusy(true);
    setTrouble(undefined);
    try {
      await act(`task.${verb}`, { id, ...(reason.trim() === '' ? {} : { reason: reason.trim() }) });
    } catch (error) {
      setTrouble(error instanceof ApiError ? `${error.message} ${error.hint}` : String(error));
    } finally {
      setBusy(false); // the list follows the log
    }
  };
  return (
    <section aria-label="Verdict">
      <h3>Your verdict</h3>
      <label className="verdict-reason">
        Reason
        <textarea rows={2} value={reason} onChange={(event) => setReason(event.target.value)} />
      </label>
      <div className="verdict-buttons">
        <button type="button" disabled={busy} onClick={() => void say('approve')}>
          Approve
        </button>
        <button type="button" disabled={busy || reason.trim() === ''} onClick={() => void say('reject')}>
          Reject
        </button>
        {reason.trim() === '' ? <span className="muted">Sending it back takes a reason.</span> : null}
      </div>
      {trouble === undefined ? null : <p role="alert">{inert(trouble)}</p>}
      <Command text={`troupe approve ${shellWord(inert(id))}${reasonFlag}`} />
      {reasonFlag === '' ? null : <Command text={`troupe reject ${shellWord(inert(id))}${reasonFlag}`} />}
    </section>
  );
}

/** What an attempt was told, fetched when somebody wants to read it. */
function Prompt({ id, attempt }: { readonly id: string; readonly attempt: number }) {
  const [text, setText] = useState<string>();
  const look = async () => {
    try {
      const answer = await askFor('task.prompt', { id, attempt });
      setText(answer.text);
    } catch (error) {
      setText(error instanceof ApiError ? error.message : String(error));
    }
  };
  return (
    <section>
      <details onToggle={(event) => (event.currentTarget.open && text === undefined ? void look() : undefined)}>
        <summary>What attempt {attempt} was told</summary>
        <pre className="output">{text === undefined ? 'Looking …' : inert(text, true)}</pre>
      </details>
    </section>
  );
}
