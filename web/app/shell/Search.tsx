import { useId, useMemo, useState } from 'react';
import { wordOf } from '#core/graph/status-look.js';
import { searchRank } from '#core/insight/task-search.js';
import { inert } from '#kernel/text.js';
import type { PicturedTask } from '#surfaces/http/contract.js';
import { picture, pictureResource, useResource } from '../data/resource.js';
import { openTask } from '../data/route.js';
import { Glyph } from '../status/Status.js';
import { Dialog } from './Dialog.js';

const HITS_MOST = 12;

/** Search over tasks by title, id and member. */
export function Search({ onClose }: { onClose(): void }) {
  const [words, setWords] = useState('');
  const { answer } = useResource(pictureResource);
  const query = useMemo(() => picture({ search: words, limit: HITS_MOST }), [words]);
  const answered = useResource(query).answer;
  const [highlighted, setHighlighted] = useState(0);
  const listId = useId();
  // Tasks on the page match at once; the server adds the others.
  const hits = find([...(answer?.tasks ?? []), ...(answered?.tasks ?? [])], words);
  const current = Math.min(highlighted, hits.length - 1);
  const open = (task: PicturedTask | undefined) => {
    if (task === undefined) return;
    openTask(task.id);
    onClose();
  };
  return (
    <Dialog label="Search tasks" className="search-dialog" onClose={onClose}>
      <input
        autoFocus
        type="text"
        role="combobox"
        aria-label="Search tasks"
        aria-expanded={hits.length > 0}
        aria-controls={listId}
        aria-activedescendant={hits[current] === undefined ? undefined : `${listId}-${current}`}
        aria-autocomplete="list"
        placeholder="Title, id or member"
        spellCheck={false}
        value={words}
        onChange={(event) => {
          setWords(event.target.value);
          setHighlighted(0);
        }}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') setHighlighted(Math.min(hits.length - 1, current + 1));
          else if (event.key === 'ArrowUp') setHighlighted(Math.max(0, current - 1));
          else if (event.key === 'Enter') open(hits[current]);
          else return;
          event.preventDefault();
        }}
      />
      <div role="listbox" id={listId} aria-label="Tasks" className="hits">
        {hits.map((task, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled in the field, which keeps the focus
          <div
            key={task.id}
            id={`${listId}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === current}
            className="hit"
            onClick={() => open(task)}
          >
            <Glyph state={task.state} check={task.check} />
            <span className="hit-title">{inert(task.title)}</span>
            <span className="muted">{wordOf(task.state, task.live, task.check)}</span>
          </div>
        ))}
      </div>
      {hits.length === 0 ? (
        <p className="muted hits-none">{answered === undefined ? 'Loading…' : 'No matching tasks.'}</p>
      ) : null}
    </Dialog>
  );
}

/** Best matches first, ties in the order of the server. */
function find(tasks: readonly PicturedTask[], words: string): readonly PicturedTask[] {
  const rankOf = searchRank(words);
  const hits = new Map<string, { readonly task: PicturedTask; readonly rank: number }>();
  for (const task of tasks) {
    const rank = rankOf(task);
    if (rank !== undefined) hits.set(task.id, { task, rank });
  }
  const ranked = [...hits.values()].sort((left, right) => left.rank - right.rank);
  return ranked.slice(0, HITS_MOST).map(({ task }) => task);
}
