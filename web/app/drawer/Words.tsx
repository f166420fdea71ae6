import { useState } from 'react';
import { inert } from '#kernel/text.js';
import type { ShowAnswer } from '#surfaces/http/contract.js';
import { ApiError, askFor } from '../data/api.js';
import { absolute, clockTime } from '../data/time.js';

/** Texts that a reviewer reads first, with their labels. */
const TEXTS = [
  ['description', 'Description'],
  ['verify', 'Acceptance criterion'],
  ['verify_cmd', 'Check'],
  ['checkpoint', 'Last checkpoint'],
] as const;

export function Texts({ task }: { readonly task: ShowAnswer['task'] }) {
  const present = TEXTS.flatMap(([field, title]) => {
    const text = task[field];
    return typeof text === 'string' && text !== '' ? [{ field, title, text }] : [];
  });
  return present.map(({ field, title, text }) => (
    <section key={field}>
      <h3>{title}</h3>
      {field === 'verify_cmd' ? (
        <code className="exec">{inert(text)}</code>
      ) : (
        <p className="last-words">{inert(text, true)}</p>
      )}
    </section>
  ));
}

const ENTRIES_SHOWN = 40;

/** Log of the task, newest first. */
export function Log({ entries }: { readonly entries: unknown }) {
  const lines = (Array.isArray(entries) ? entries : []).flatMap((entry: unknown) => {
    const { timestamp, actor, message } = (entry ?? {}) as Readonly<Record<string, unknown>>;
    return typeof timestamp === 'string' && typeof message === 'string'
      ? [{ timestamp, message, who: typeof actor === 'string' ? actor : '' }]
      : [];
  });
  if (lines.length === 0) return null;
  const shown = lines.slice(-ENTRIES_SHOWN).reverse();
  return (
    <section aria-label="Log">
      <h3>
        Log <span className="count">{lines.length}</span>
      </h3>
      <ol className="log">
        {shown.map(({ timestamp, who, message }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two entries may be the same to the letter
          <li key={`${timestamp} ${index}`}>
            <time dateTime={timestamp} title={absolute(timestamp)}>
              {clockTime(Date.parse(timestamp))}
            </time>
            <span>
              {who === '' ? null : <span className="muted">{inert(who)}: </span>}
              {inert(message)}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Prompt of an attempt, loaded on demand. */
export function Prompt({ id, attempt }: { readonly id: string; readonly attempt: number }) {
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
        <summary>Prompt of attempt {attempt}</summary>
        <pre className="output">{text === undefined ? 'Loading …' : inert(text, true)}</pre>
      </details>
    </section>
  );
}
