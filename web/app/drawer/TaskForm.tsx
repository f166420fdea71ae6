import { type FormEvent, useState } from 'react';
import { inert, shellWord } from '#kernel/text.js';
import type { ShowAnswer } from '#surfaces/http/contract.js';
import { useAction } from '../data/action.js';
import { act } from '../data/api.js';
import { Dialog } from '../shell/Dialog.js';
import { Failure } from '../shell/Skeleton.js';
import { Command } from './Command.js';

const FIELDS = [
  { field: 'title', label: 'Title', rows: 1, flag: 'title' },
  { field: 'description', label: 'Description', rows: 5, flag: 'description' },
  { field: 'verify', label: 'Acceptance criterion (a person reviews it)', rows: 2, flag: 'verify' },
  { field: 'exec', label: 'Command (no model needed)', rows: 1, flag: 'exec' },
] as const;
type Field = (typeof FIELDS)[number]['field'];
type Draft = Readonly<Record<Field, string>>;

/** Form that edits a task, or adds one if `task` is undefined. Shows the equivalent command. */
export function TaskForm({ task, onClose }: { readonly task: ShowAnswer['task'] | undefined; onClose(): void }) {
  const before = draftOf(task);
  const [draft, setDraft] = useState<Draft>(before);
  const { busy, trouble, run } = useAction();
  const changed = FIELDS.filter(({ field }) => draft[field] !== before[field]);
  const input = Object.fromEntries(changed.map(({ field }) => [field, draft[field]]));
  const save = (event: FormEvent) => {
    event.preventDefault();
    void run(async () => {
      if (task === undefined) await act('task.add', { ...input, title: draft.title });
      else await act('task.edit', { ...input, id: task.id });
      onClose();
    });
  };
  const title = task === undefined ? 'New task' : 'Edit the task';
  return (
    <Dialog label={title} className="form-dialog" onClose={onClose}>
      <form onSubmit={save}>
        <h2>{title}</h2>
        {FIELDS.map(({ field, label, rows }) => (
          <label key={field} className="field">
            {label}
            <textarea
              rows={rows}
              value={draft[field]}
              required={field === 'title'}
              onChange={(event) => setDraft({ ...draft, [field]: event.target.value })}
            />
          </label>
        ))}
        {trouble === undefined ? null : <Failure error={trouble} />}
        <div className="buttons">
          <button
            type="submit"
            className="primary"
            disabled={busy || changed.length === 0 || draft.title.trim() === ''}
          >
            {task === undefined ? 'Add' : 'Save'}
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </div>
        {changed.length === 0 ? null : <Command text={commandFor(task?.id, draft, changed)} />}
      </form>
    </Dialog>
  );
}

function draftOf(task: ShowAnswer['task'] | undefined): Draft {
  const text = (field: Field) => {
    const value = task?.[field];
    return typeof value === 'string' ? value : '';
  };
  return { title: text('title'), description: text('description'), verify: text('verify'), exec: text('exec') };
}

function commandFor(id: string | undefined, draft: Draft, changed: readonly (typeof FIELDS)[number][]): string {
  const word = (text: string) => shellWord(inert(text, true));
  const flags = changed
    .filter(({ field }) => id !== undefined || field !== 'title')
    .map(({ field, flag }) => ` --${flag} ${word(draft[field])}`);
  return `${id === undefined ? `troupe add ${word(draft.title)}` : `troupe edit ${word(id)}`}${flags.join('')}`;
}
