import { type FormEvent, type KeyboardEvent, useId, useMemo, useState } from 'react';
import { inert, shellWord } from '#kernel/text.js';
import { useAction } from '../data/action.js';
import { change } from '../data/api.js';
import { notice } from '../data/notices.js';
import { resourceOf, useResource } from '../data/resource.js';
import { openTask } from '../data/route.js';
import { useStore } from '../data/store.js';
import { taskForm } from '../data/task-form.js';
import { useRefusal } from '../data/visitor.js';
import { CopyIcon } from '../shell/CopyIcon.js';
import { Dialog } from '../shell/Dialog.js';
import { Failure, Skeleton } from '../shell/Skeleton.js';
import { changesOf, type Draft, draftOf, type Field, type FieldLook, fieldsOf, inputOf, PARTS } from './task-fields.js';

/** The form of a new task, or of one that is edited. */
export default function TaskDialog() {
  const state = useStore(taskForm);
  const refusal = useRefusal();
  const close = () => taskForm.set(undefined);
  if (state === undefined) return null;
  const title = state.kind === 'new' ? 'New task' : 'Edit the task';
  return (
    <Dialog label={title} className="form-dialog" onClose={close}>
      {refusal !== undefined ? (
        <p className="landing">{refusal}</p>
      ) : state.kind === 'new' ? (
        <TaskForm title={title} before={undefined} onClose={close} />
      ) : (
        <Editing id={state.id} title={title} onClose={close} />
      )}
    </Dialog>
  );
}

function Editing({ id, title, onClose }: { readonly id: string; readonly title: string; onClose(): void }) {
  const resource = useMemo(() => resourceOf('task.show', { id }), [id]);
  const { answer, error } = useResource(resource);
  if (answer !== undefined) return <TaskForm title={title} before={answer.task} onClose={onClose} />;
  return <div className="landing">{error === undefined ? <Skeleton rows={4} /> : <Failure error={error} />}</div>;
}

interface FormProps {
  readonly title: string;
  /** The task as it was; undefined for a new one. */
  readonly before: ({ readonly id: string } & Readonly<Record<string, unknown>>) | undefined;
  onClose(): void;
}

interface AddedAnswer {
  readonly id: string;
  readonly warnings?: readonly string[];
}

function TaskForm({ title, before, onClose }: FormProps) {
  const isNew = before === undefined;
  // An event that arrives while one types must not change what is being edited.
  const [was] = useState(() => draftOf(before));
  const [draft, setDraft] = useState<Draft>(was);
  const { busy, trouble, run } = useAction();
  const changes = changesOf(was, draft, isNew);
  const isComplete = String(draft.title ?? '').trim() !== '' && changes.length > 0;
  const save = (event?: FormEvent) => {
    event?.preventDefault();
    if (!isComplete || busy) return;
    void run(async () => {
      const input = { ...inputOf(changes), ...(isNew ? {} : { id: before.id }) };
      const answer = await change<AddedAnswer>('POST', isNew ? 'task/add' : 'task/edit', input);
      onClose();
      const warning = answer.warnings?.[0];
      if (isNew || warning !== undefined)
        notice.set({
          text: `${isNew ? 'Added' : 'Saved'}: ${inert(String(draft.title))}${warning === undefined ? '' : `. ${inert(warning)}`}`,
          ...(isNew ? { back: { label: 'Open', ids: [], run: async () => openTask(answer.id) } } : {}),
        });
    });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save();
  };
  const set = (field: Field) => (value: Draft[Field]) => setDraft({ ...draft, [field]: value });
  const [first, ...more] = PARTS;
  return (
    <form onSubmit={save} onKeyDown={onKeyDown}>
      <h2>{title}</h2>
      {first === undefined ? null : (
        <div className="form-fields">
          {fieldsOf(first, isNew).map(([field, look]) => (
            <FieldInput key={field} field={field} look={look} value={draft[field]} onChange={set(field)} />
          ))}
        </div>
      )}
      <details className="form-more">
        <summary>More</summary>
        {more.map((part) => (
          <fieldset key={part.title}>
            <legend>{part.title}</legend>
            <div className="form-fields">
              {fieldsOf(part, isNew).map(([field, look]) => (
                <FieldInput key={field} field={field} look={look} value={draft[field]} onChange={set(field)} />
              ))}
            </div>
          </fieldset>
        ))}
      </details>
      {trouble === undefined ? null : <Failure error={trouble} />}
      <div className="buttons form-end">
        <button type="submit" className="primary" disabled={busy || !isComplete}>
          {isNew ? 'Add' : 'Save'}
        </button>
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        <span className="muted">Ctrl+Enter</span>
        {isComplete ? <CopyIcon text={commandFor(before?.id, String(draft.title), changes)} /> : null}
      </div>
    </form>
  );
}

function commandFor(id: string | undefined, title: string, changes: ReturnType<typeof changesOf>): string {
  const word = (text: string) => shellWord(inert(text, true));
  const flags = changes
    .filter(({ field }) => id !== undefined || field !== 'title')
    .map(({ flag, value, field }) => {
      const name = field === 'title' ? 'title' : flag;
      return ` --${name}${value === undefined ? '' : ` ${word(value)}`}`;
    });
  return `${id === undefined ? `troupe add ${word(title)}` : `troupe edit ${word(id)}`}${flags.join('')}`;
}

interface InputProps {
  readonly field: Field;
  readonly look: FieldLook;
  readonly value: Draft[Field];
  onChange(value: Draft[Field]): void;
}

function FieldInput({ field, look, value, onChange }: InputProps) {
  const { label, kind, example, names } = look;
  const id = useId();
  const control = `${id}-control`;
  if (kind === 'list') return <ListField look={look} value={value} onChange={onChange} />;
  if (kind === 'check')
    return (
      <label className="field is-check">
        <input type="checkbox" checked={value === true} onChange={({ target }) => onChange(target.checked)} />
        {label}
      </label>
    );
  const text = typeof value === 'string' ? value : '';
  return (
    <div className={kind === 'text' || field === 'title' ? 'field is-wide' : 'field'}>
      <label htmlFor={control}>{label}</label>
      {kind === 'text' ? (
        <textarea
          id={control}
          rows={field === 'description' ? 4 : 2}
          value={text}
          onChange={({ target }) => onChange(target.value)}
        />
      ) : typeof kind === 'object' ? (
        <select id={control} value={text} onChange={({ target }) => onChange(target.value)}>
          <option value="">–</option>
          {kind.map((word) => (
            <option key={word}>{word}</option>
          ))}
        </select>
      ) : (
        <input
          id={control}
          type={kind === 'number' ? 'number' : 'text'}
          min={kind === 'number' ? 0 : undefined}
          step="any"
          list={names === undefined ? undefined : id}
          placeholder={example}
          value={text}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
      {names === undefined ? null : <Names id={id} names={names} typed={text} />}
    </div>
  );
}

/** Several values, each a chip; Enter or a comma adds what is typed. */
function ListField({ look: { label, names }, value, onChange }: Omit<InputProps, 'field'>) {
  const values = Array.isArray(value) ? value : [];
  const [typed, setTyped] = useState('');
  const id = useId();
  const add = (text: string) => {
    const fresh = text
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== '' && !values.includes(one));
    if (fresh.length > 0) onChange([...values, ...fresh]);
    setTyped('');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey) return;
    if ((event.key === 'Enter' || event.key === ',') && typed.trim() !== '') {
      event.preventDefault();
      add(typed);
    } else if (event.key === 'Backspace' && typed === '') onChange(values.slice(0, -1));
  };
  return (
    <div className="field">
      <label htmlFor={`${id}-input`}>{label}</label>
      <div className="chip-field">
        {values.map((one) => (
          <button
            key={one}
            type="button"
            className="chip"
            aria-label={`Remove ${inert(one)}`}
            onClick={() => onChange(values.filter((other) => other !== one))}
          >
            {inert(one)} <span aria-hidden="true">×</span>
          </button>
        ))}
        <input
          className="chip-input"
          id={`${id}-input`}
          list={names === undefined ? undefined : id}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          onKeyDown={onKeyDown}
          onBlur={() => add(typed)}
        />
        {names === undefined ? null : <Names id={id} names={names} typed={typed} />}
      </div>
    </div>
  );
}

const SUGGESTED = 12;
const choices = resourceOf('graph.choices', {});

/** Suggestions while one types: tasks that the server finds, or values that tasks have. */
function Names({
  id,
  names,
  typed,
}: {
  readonly id: string;
  readonly names: 'task' | 'member' | 'tag';
  readonly typed: string;
}) {
  return names === 'task' ? <TaskNames id={id} typed={typed} /> : <ValueNames id={id} names={names} />;
}

function TaskNames({ id, typed }: { readonly id: string; readonly typed: string }) {
  const found = useMemo(() => resourceOf('graph.picture', { search: typed, limit: SUGGESTED }), [typed]);
  const { answer } = useResource(found);
  return (
    <datalist id={id}>
      {answer?.tasks.map((task) => (
        <option key={task.id} value={task.id}>
          {inert(task.title)}
        </option>
      ))}
    </datalist>
  );
}

function ValueNames({ id, names }: { readonly id: string; readonly names: 'member' | 'tag' }) {
  const { answer } = useResource(choices);
  return (
    <datalist id={id}>
      {answer?.[names].map(({ value }) => (
        <option key={value} value={value} />
      ))}
    </datalist>
  );
}
