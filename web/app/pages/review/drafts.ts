import { useMemo } from 'react';
import { Store, useStore } from '../../data/store.js';
import type { LineComment } from './reason.js';

/** Unsent words and comments of a reviewer. They stay in this browser, also when the page is closed. */
interface Draft {
  readonly words: string;
  readonly comments: readonly LineComment[];
}

/** Changes of a draft. The functions stay the same for one attempt. */
export interface DraftWriter {
  say(words: string): void;
  put(comment: LineComment): void;
  remove(comment: Pick<LineComment, 'file' | 'side' | 'line'>): void;
  clear(): void;
}

export interface DraftReview extends Draft {
  readonly writer: DraftWriter;
}

const NOTHING: Draft = { words: '', comments: [] };
const PREFIX = 'troupe-review/';

/** The draft about one attempt at a task. `key` names both. */
export function useDraft(key: string): DraftReview {
  const store = useMemo(() => new Store(readDraft(key)), [key]);
  const writer = useMemo(() => {
    const change = (next: Draft) => {
      store.set(next);
      writeDraft(key, next);
    };
    const without = ({ file, side, line }: Pick<LineComment, 'file' | 'side' | 'line'>) =>
      store.get().comments.filter((other) => other.file !== file || other.side !== side || other.line !== line);
    return {
      say: (words: string) => change({ ...store.get(), words }),
      put: (comment: LineComment) => change({ ...store.get(), comments: [...without(comment), comment] }),
      remove: (comment: Pick<LineComment, 'file' | 'side' | 'line'>) =>
        change({ ...store.get(), comments: without(comment) }),
      clear: () => change(NOTHING),
    };
  }, [store, key]);
  return { ...useStore(store), writer };
}

function writeDraft(key: string, draft: Draft): void {
  try {
    if (draft.words === '' && draft.comments.length === 0) localStorage.removeItem(`${PREFIX}${key}`);
    else localStorage.setItem(`${PREFIX}${key}`, JSON.stringify(draft));
  } catch {
    // The storage of the browser is full or off: the draft lives as long as the page.
  }
}

function readDraft(key: string): Draft {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(`${PREFIX}${key}`) ?? 'null');
    return isDraft(stored) ? stored : NOTHING;
  } catch {
    return NOTHING;
  }
}

function isDraft(value: unknown): value is Draft {
  if (typeof value !== 'object' || value === null || !('words' in value) || !('comments' in value)) return false;
  return typeof value.words === 'string' && Array.isArray(value.comments) && value.comments.every(isComment);
}

function isComment(value: unknown): value is LineComment {
  if (typeof value !== 'object' || value === null) return false;
  const fields: Readonly<Record<string, unknown>> = { ...value };
  return (
    ['file', 'quote', 'text'].every((name) => typeof fields[name] === 'string') &&
    typeof fields['line'] === 'number' &&
    (fields['side'] === 'old' || fields['side'] === 'new')
  );
}
