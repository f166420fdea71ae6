import { type FormEvent, useEffect, useMemo, useRef, useState } from 'react';
import type { ShownState } from '#core/graph/status-look.js';
import { inert, shellWord } from '#kernel/text.js';
import type { Answer, ShowAnswer } from '#surfaces/http/contract.js';
import { useAction } from '../data/action.js';
import { act, askFor } from '../data/api.js';
import { resourceOf, useResource } from '../data/resource.js';
import { absolute, clockTime } from '../data/time.js';
import { useRefusal } from '../data/visitor.js';
import { CopyIcon } from '../shell/CopyIcon.js';
import { Failure } from '../shell/Skeleton.js';
import { type Message, mergedMessages } from './messages.js';

/** Messages that are loaded at once. */
const MESSAGES_LOADED = 50;
/** Whether a run has read a message is not in the log. */
const ASK_MS = 4_000;

/** Effect of a message in each state; none where no run would read it. */
const READERS: Partial<Record<ShownState, string>> = {
  'in-progress': 'Its run reads this with its next report.',
  waiting: 'It continues with this if it waits for a message.',
  open: 'The next attempt reads this first.',
  ready: 'The next attempt reads this first.',
  failed: 'The next attempt reads this first.',
  blocked: 'The next attempt reads this first.',
  'pending-validation': 'The next attempt reads this, if there is one.',
  done: 'A message opens finished work again.',
};

interface TalkProps {
  readonly task: ShowAnswer['task'];
  readonly state: ShownState;
}

/** Messages about a task, the question of its run, and a box that answers it or writes to the run. */
export function Talk({ task, state }: TalkProps) {
  const { id } = task;
  const resource = useMemo(() => resourceOf('msg.list', { id, limit: MESSAGES_LOADED }), [id]);
  const { answer } = useResource(resource, state === 'in-progress' ? ASK_MS : undefined);
  const mayWrite = useRefusal() === undefined;
  useRead(id, mayWrite ? answer : undefined);
  const asks = answer?.asks ?? undefined;
  const reader = typeof task['exec'] === 'string' ? undefined : READERS[state];
  const { messages, older } = useMessages(id, answer);
  const box =
    mayWrite && (asks !== undefined || reader !== undefined) ? (
      <Box key={asks} id={id} asks={asks !== undefined} effect={reader} onSent={() => void resource.load()} />
    ) : null;
  if (asks === undefined && messages.length === 0 && state !== 'in-progress')
    return box === null ? null : (
      <section aria-label="Messages">
        <details>
          <summary>Write to its run</summary>
          {box}
        </details>
      </section>
    );
  return (
    <section aria-label="Messages" className="talk">
      <h3>
        {asks === undefined ? 'Messages' : 'It asks you'}{' '}
        {messages.length === 0 ? null : <span className="count">{messages.at(-1)?.number}</span>}
      </h3>
      {older}
      {messages.length === 0 ? null : (
        <ol>
          {messages.map((message) => (
            <Said key={message.id} message={message} />
          ))}
        </ol>
      )}
      {asks === undefined ? null : (
        <p className="talk-question">
          {asks === '' ? 'Its run waits for a person and left no words.' : inert(asks, true)}
        </p>
      )}
      {box}
    </section>
  );
}

/** The messages known so far, and the button that loads older ones, if there are any. */
function useMessages(id: string, answer: Answer<'msg.list'> | undefined) {
  const known = useRef<readonly Message[]>([]);
  known.current = mergedMessages(known.current, answer?.messages ?? []);
  const { busy, trouble, run } = useAction();
  const [first] = known.current;
  const missing = first === undefined ? 0 : first.number - 1;
  const load = async (before: number) => {
    const page = await askFor('msg.list', { id, limit: MESSAGES_LOADED, before });
    known.current = mergedMessages(known.current, page.messages);
  };
  const older =
    first === undefined || missing === 0 ? null : (
      <>
        <button type="button" className="talk-older" disabled={busy} onClick={() => void run(() => load(first.number))}>
          Show {Math.min(MESSAGES_LOADED, missing)} older of {missing}
        </button>
        {trouble === undefined ? null : <Failure error={trouble} />}
      </>
    );
  return { messages: known.current, older };
}

/** Marks messages as read once they are shown. */
function useRead(id: string, answer: Answer<'msg.list'> | undefined): void {
  const last = answer?.unread ? answer.messages.at(-1)?.number : undefined;
  useEffect(() => {
    // What cannot be marked stays new, and is shown all the same.
    if (last !== undefined) void act('msg.read', { id }).catch(() => undefined);
  }, [id, last]);
}

function Said({ message }: { readonly message: Message }) {
  const { from, at, text, priority, seen, sender } = message;
  const isPerson = sender.startsWith('human/');
  return (
    <li className={isPerson ? 'is-person' : undefined}>
      <p className="talk-head">
        <strong>{inert(from)}</strong>
        <span className="muted">
          {[priority === 'normal' ? '' : priority, isPerson ? (seen ? 'read' : 'not read yet') : '']
            .filter((word) => word !== '')
            .join(', ')}
        </span>
        <time className="muted" dateTime={at} title={absolute(at)}>
          {clockTime(Date.parse(at))}
        </time>
      </p>
      <p className="last-words">{inert(text, true)}</p>
    </li>
  );
}

interface BoxProps {
  readonly id: string;
  readonly asks: boolean;
  readonly effect: string | undefined;
  onSent(): void;
}

function Box({ id, asks, effect, onSent }: BoxProps) {
  const [typed, setTyped] = useState('');
  const { busy, trouble, run } = useAction();
  const text = typed.trim();
  const send = (event?: FormEvent) => {
    event?.preventDefault();
    if (text === '' || busy) return;
    void run(async () => {
      await act(asks ? 'task.answer' : 'msg.send', { id, text });
      setTyped('');
      onSent();
    });
  };
  const command = `troupe ${asks ? 'answer' : 'msg send'} ${shellWord(inert(id))} ${text === '' ? '"…"' : shellWord(inert(text, true))}`;
  return (
    <form onSubmit={send} className="talk-box">
      <label className="field">
        {asks ? 'Your answer' : 'Message'}
        <textarea
          rows={2}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send();
          }}
        />
      </label>
      <div className="buttons">
        <button type="submit" className={asks ? 'primary' : undefined} disabled={busy || text === ''}>
          {asks ? 'Answer' : 'Send'}
        </button>
        <CopyIcon text={command} />
        <span className="muted">{asks ? 'The same session continues.' : effect}</span>
      </div>
      {trouble === undefined ? null : <Failure error={trouble} />}
    </form>
  );
}
