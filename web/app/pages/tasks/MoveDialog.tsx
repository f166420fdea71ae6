import { type FormEvent, useState } from 'react';
import { inert } from '#kernel/text.js';
import { useAction } from '../../data/action.js';
import { ACT_LOOK, commandOf } from '../../data/acts.js';
import { CopyIcon } from '../../shell/CopyIcon.js';
import { Dialog } from '../../shell/Dialog.js';
import { Failure } from '../../shell/Skeleton.js';
import { type Intent, makeMove } from './moves.js';

/** Asks for the words of a move, or for a confirmation where there is no way back. */
export function MoveDialog({ intent, onClose }: { readonly intent: Intent; onClose(): void }) {
  const { task, act } = intent;
  const { label, words, consequence } = ACT_LOOK[act];
  const [typed, setTyped] = useState('');
  const { busy, trouble, run } = useAction();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run(async () => {
      await makeMove(intent, words === undefined ? undefined : typed.trim());
      onClose();
    });
  };
  return (
    <Dialog label={label} className="form-dialog" onClose={onClose}>
      <form onSubmit={submit}>
        <h2>
          {label}: {inert(task.title)}
        </h2>
        {words === undefined ? (
          <p>{consequence}</p>
        ) : (
          <label className="field">
            {words}
            <textarea autoFocus rows={3} value={typed} onChange={(event) => setTyped(event.target.value)} />
          </label>
        )}
        {trouble === undefined ? null : <Failure error={trouble} />}
        <div className="buttons">
          <button type="submit" className="primary" disabled={busy || (words !== undefined && typed.trim() === '')}>
            {label}
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <CopyIcon text={commandOf(act, [task.id], undefined, typed.trim() || undefined)} />
        </div>
      </form>
    </Dialog>
  );
}
