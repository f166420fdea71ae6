import { useState } from 'react';
import { typed } from '#core/insight/typed.js';
import { inert } from '#kernel/text.js';
import { ApiError, act } from '../data/api.js';
import { Command } from './Command.js';

/** Accept the work, or send it back with a reason; and the commands that do the same. */
export function Verdict({ id }: { readonly id: string }) {
  const [reason, setReason] = useState('');
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<string>();
  const said = reason.trim() === '' ? '' : ` --reason ${typed(inert(reason.trim(), true))}`;
  const say = async (verb: 'approve' | 'reject') => {
    setBusy(true);
    setTrouble(undefined);
    try {
      await act(`task.${verb}`, { id, ...(reason.trim() === '' ? {} : { reason: reason.trim() }) });
    } catch (error) {
      setTrouble(error instanceof ApiError ? `${error.message} ${error.hint}` : String(error));
    } finally {
      setBusy(false); // the list follows the log
    }
  };
  return (
    <section aria-label="Verdict">
      <h3>Your verdict</h3>
      <label className="verdict-reason">
        Reason
        <textarea rows={2} value={reason} onChange={(event) => setReason(event.target.value)} />
      </label>
      <div className="verdict-buttons">
        <button type="button" disabled={busy} onClick={() => void say('approve')}>
          Approve
        </button>
        <button type="button" disabled={busy || reason.trim() === ''} onClick={() => void say('reject')}>
          Reject
        </button>
        {reason.trim() === '' ? <span className="muted">Sending it back takes a reason.</span> : null}
      </div>
      {trouble === undefined ? null : <p role="alert">{inert(trouble)}</p>}
      <Command text={`troupe approve ${typed(inert(id))}${said}`} />
      {said === '' ? null : <Command text={`troupe reject ${typed(inert(id))}${said}`} />}
    </section>
  );
}
