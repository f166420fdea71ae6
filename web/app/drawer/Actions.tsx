import { useState } from 'react';
import type { ShownState } from '#core/graph/status-look.js';
import { inert, shellWord } from '#kernel/text.js';
import type { ApiOperation, ShowAnswer } from '#surfaces/http/contract.js';
import { useAction } from '../data/action.js';
import { act } from '../data/api.js';
import { editTask } from '../data/task-form.js';
import { CopyIcon } from '../shell/CopyIcon.js';
import { Failure } from '../shell/Skeleton.js';

type Verb = Extract<ApiOperation, 'task.retry' | 'task.resume' | 'task.pause' | 'task.publish' | 'task.reopen'>;

/** Whether a retry would be refused. Repeats `allowsAnother` of the core, which cannot be loaded here. */
function isSpent(task: ShowAnswer['task']): boolean {
  return Number(task['retry_count'] ?? 0) > Number(task['max_retries'] ?? Number.POSITIVE_INFINITY);
}

/** Actions available in the current state: the operation and the label of its button. */
function verbsFor(task: ShowAnswer['task'], state: ShownState): readonly { verb: Verb; label: string }[] {
  if (task['paused'] === true) return [{ verb: 'task.resume', label: 'Resume' }];
  switch (state) {
    case 'failed':
      return isSpent(task) ? [{ verb: 'task.reopen', label: 'Reopen' }] : [{ verb: 'task.retry', label: 'Retry' }];
    case 'waiting':
      return [{ verb: 'task.resume', label: 'Resume' }];
    case 'open':
    case 'ready':
      return [{ verb: 'task.pause', label: 'Pause' }];
    case 'blocked':
    case 'abandoned':
      return [{ verb: 'task.reopen', label: 'Reopen' }];
    default:
      return [];
  }
}

/** States in which editing the task still has an effect. */
const EDITABLE: ReadonlySet<ShownState> = new Set(['open', 'ready', 'waiting', 'blocked', 'failed']);

/** Buttons for the actions available in the current state. */
export function Actions({ task, state }: { readonly task: ShowAnswer['task']; readonly state: ShownState }) {
  const { busy, trouble, run } = useAction();
  const verbs = verbsFor(task, state);
  const id = shellWord(inert(task.id));
  if (verbs.length === 0 && !EDITABLE.has(state)) return null;
  return (
    <section aria-label="Actions">
      <div className="buttons">
        {verbs.map(({ verb, label }) => (
          <span key={verb} className="act-line">
            <button type="button" disabled={busy} onClick={() => void run(() => act(verb, { id: task.id }))}>
              {label}
            </button>
            <CopyIcon text={`troupe ${label.toLowerCase()} ${id}`} />
          </span>
        ))}
        {EDITABLE.has(state) ? (
          <button type="button" onClick={() => editTask(task.id)}>
            Edit
          </button>
        ) : null}
      </div>
      {trouble === undefined ? null : <Failure error={trouble} />}
    </section>
  );
}

/** Accepts or rejects the work, with an optional reason. */
export function Verdict({ id }: { readonly id: string }) {
  const [typed, setTyped] = useState('');
  const { busy, trouble, run } = useAction();
  const reason = typed.trim();
  const flag = reason === '' ? '' : ` --reason ${shellWord(inert(reason, true))}`;
  const decide = (verb: 'approve' | 'reject') =>
    run(() => act(`task.${verb}`, { id, ...(reason === '' ? {} : { reason }) })); // the list reloads with the event
  return (
    <section aria-label="Verdict">
      <h3>Your verdict</h3>
      <label className="verdict-reason">
        Reason
        <textarea data-key="r" rows={2} value={typed} onChange={(event) => setTyped(event.target.value)} />
      </label>
      <div className="verdict-buttons">
        <button type="button" data-key="a" disabled={busy} onClick={() => void decide('approve')}>
          Approve
        </button>
        <CopyIcon text={`troupe approve ${shellWord(inert(id))}${flag}`} />
        <button type="button" disabled={busy || reason === ''} onClick={() => void decide('reject')}>
          Reject
        </button>
        {reason === '' ? (
          <span className="muted">To reject it, give a reason.</span>
        ) : (
          <CopyIcon text={`troupe reject ${shellWord(inert(id))}${flag}`} />
        )}
      </div>
      {trouble === undefined ? null : <Failure error={trouble} />}
    </section>
  );
}
