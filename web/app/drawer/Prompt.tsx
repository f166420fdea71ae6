import { useState } from 'react';
import { inert } from '#kernel/text.js';
import { ApiError, askFor } from '../data/api.js';

/** What an attempt was told, fetched when somebody wants to read it. */
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
        <summary>What attempt {attempt} was told</summary>
        <pre className="output">{text === undefined ? 'Looking …' : inert(text, true)}</pre>
      </details>
    </section>
  );
}
