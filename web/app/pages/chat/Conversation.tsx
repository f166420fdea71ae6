import { type FormEvent, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { inert, shellWord } from '#kernel/text.js';
import type { Answer } from '#surfaces/http/contract.js';
import { useAction } from '../../data/action.js';
import { act } from '../../data/api.js';
import { resourceOf, useResource } from '../../data/resource.js';
import { addressOf, arrive, openTask, useAt } from '../../data/route.js';
import { absolute, clockTime } from '../../data/time.js';
import { useRefusal } from '../../data/visitor.js';
import { CopyIcon } from '../../shell/CopyIcon.js';
import { Failure, Skeleton } from '../../shell/Skeleton.js';
import { ASK_MS, type StoredTeam } from './stored-team.js';

type Message = Answer<'team.chat'>['messages'][number];

const MESSAGES_SHOWN = 100;

/** Messages shown before the one that the address asks for. */
const MESSAGES_BEFORE = 20;

/** Messages with author, kind, time and task, and a field to write one. */
export function Conversation({ team }: { readonly team: StoredTeam }) {
  const at = useAt();
  const after = at === undefined ? {} : { after: Math.max(0, at - MESSAGES_BEFORE) };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the first message follows from the one asked for
  const resource = useMemo(
    () => resourceOf('team.chat', { team: team.id, limit: MESSAGES_SHOWN, ...after }),
    [team.id, at],
  );
  const { answer, error } = useResource(resource, ASK_MS);
  const refusal = useRefusal();
  const place = useRef<HTMLElement>(null);
  const last = answer?.messages.at(-1)?.number;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the end is followed when there is something new
  useLayoutEffect(() => {
    const element = place.current;
    if (element !== null && at === undefined) element.scrollTop = element.scrollHeight;
  }, [last]);
  return (
    <section className="chat-talk" aria-label="Conversation">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className="chat-messages" ref={place} tabIndex={0} aria-label="Messages">
        {answer === undefined ? (
          error === undefined ? (
            <Skeleton rows={4} />
          ) : (
            <Failure error={error} />
          )
        ) : answer.messages.length === 0 ? (
          <p className="empty">No messages yet. Write what you want: the leader plans first, then the members work.</p>
        ) : (
          <ol>
            {answer.messages.map((message) => (
              <Said key={message.id} message={message} isAsked={message.number === at} />
            ))}
          </ol>
        )}
      </section>
      {at === undefined ? null : (
        <a className="link" href={addressOf({ place: 'team', view: 'chat', item: team.name })}>
          To the latest messages
        </a>
      )}
      {team.status !== 'active' ? (
        <p className="muted">This team has ended and is read-only.</p>
      ) : refusal === undefined ? (
        <Compose team={team} onSent={() => void resource.load()} />
      ) : (
        <p className="muted">{refusal}</p>
      )}
    </section>
  );
}

function Said({ message, isAsked }: { readonly message: Message; readonly isAsked: boolean }) {
  const { who, at, task, text, to, type, reply_to: replyTo } = message;
  const direct = to.filter(({ role }) => role === 'to').map(({ member }) => inert(member));
  const facts = [
    who.position === null || who.position === 'member' ? undefined : who.position,
    who.kind === 'agent' ? undefined : who.kind,
    type === 'message' || type === 'system_notification' ? undefined : type.replaceAll('_', ' '),
    direct.length === 0 ? undefined : `to ${direct.join(', ')}`,
    replyTo === null ? undefined : 'reply',
  ].filter((fact) => fact !== undefined);
  return (
    <li ref={isAsked ? arrive : undefined} className={`said is-${who.kind}${isAsked ? ' is-asked' : ''}`}>
      <p className="said-head">
        <strong>{inert(who.name)}</strong> <span className="muted">{facts.join(' · ')}</span>
        <time dateTime={at} title={absolute(at)}>
          {clockTime(Date.parse(at))}
        </time>
      </p>
      <p className="last-words">{inert(text, true)}</p>
      {who.kind === 'person' && to.length > 0 ? <p className="said-read">{readWords(to)}</p> : null}
      {task === null ? null : (
        <button type="button" className="link" onClick={() => openTask(task)}>
          {inert(task)}
        </button>
      )}
    </li>
  );
}

/** Recipients that have read a message. */
function readWords(to: Message['to']): string {
  const readers = to.filter(({ read_at: at }) => at !== null).map(({ member }) => inert(member));
  return readers.length === 0 ? 'not read yet' : `read by ${readers.join(', ')}`;
}

function Compose({ team, onSent }: { readonly team: StoredTeam; onSent(): void }) {
  const [text, setText] = useState('');
  const [to, setTo] = useState('');
  const { busy, trouble, run } = useAction();
  const send = (event?: FormEvent) => {
    event?.preventDefault();
    if (text.trim() === '') return;
    void run(async () => {
      await act('team.say', { team: team.id, text: text.trim(), ...(to === '' ? {} : { to: [to] }) });
      setText('');
      onSent();
    });
  };
  const flag = to === '' ? '' : ` --to ${shellWord(inert(to))}`;
  return (
    <form className="compose" onSubmit={send}>
      <label className="field">
        Write to the team
        <textarea
          rows={3}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send();
          }}
        />
      </label>
      <div className="buttons">
        <label className="compose-to">
          To{' '}
          <select value={to} onChange={(event) => setTo(event.target.value)}>
            <option value="">the leader, or those mentioned</option>
            {team.members
              .filter(({ status }) => status === 'active')
              .map(({ id, name }) => (
                <option key={id} value={name}>
                  {inert(name)}
                </option>
              ))}
          </select>
        </label>
        <button type="submit" className="primary" disabled={busy || text.trim() === ''}>
          Send
        </button>
        <CopyIcon
          text={`troupe team say ${shellWord(inert(team.name))} ${shellWord(inert(text.trim() === '' ? 'TEXT' : text.trim(), true))}${flag}`}
        />
      </div>
      {trouble === undefined ? null : <Failure error={trouble} />}
    </form>
  );
}
