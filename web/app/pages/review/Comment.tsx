import { useState } from 'react';
import { inert } from '#kernel/text.js';
import { type LineComment, placeOf } from './reason.js';

/** Field for a comment on one line. Ctrl+Enter keeps it, Escape leaves it as it was. */
export function CommentForm({
  spot,
  text,
  onSave,
  onCancel,
}: {
  readonly spot: Omit<LineComment, 'text'>;
  readonly text: string;
  onSave(text: string): void;
  onCancel(): void;
}) {
  const [typed, setTyped] = useState(text);
  return (
    <form
      className="remark"
      onSubmit={(event) => {
        event.preventDefault();
        onSave(typed);
      }}
    >
      <label className="field">
        Comment on {inert(placeOf(spot))}
        <textarea
          // biome-ignore lint/a11y/noAutofocus: the act that opens the field means to fill it in
          autoFocus
          rows={3}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') {
              event.preventDefault();
              onCancel();
            }
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
          }}
        />
      </label>
      <div className="buttons">
        <button type="submit" className="primary" disabled={typed.trim() === '' && text === ''}>
          Keep the comment
        </button>
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
        <span className="muted">It becomes part of the reason if you reject.</span>
      </div>
    </form>
  );
}

/** A comment that is kept. */
export function CommentNote({
  comment,
  onEdit,
  onRemove,
}: {
  readonly comment: LineComment;
  onEdit(): void;
  onRemove(): void;
}) {
  const about = inert(placeOf(comment));
  return (
    <div className="remark">
      <p className="remark-text">
        <strong>You</strong> <span className="muted">on {about}</span>
      </p>
      <p className="remark-text">{inert(comment.text, true)}</p>
      <div className="buttons">
        <button type="button" className="link" onClick={onEdit}>
          Change<span className="unseen"> the comment on {about}</span>
        </button>
        <button type="button" className="link" onClick={onRemove}>
          Remove<span className="unseen"> the comment on {about}</span>
        </button>
      </div>
    </div>
  );
}
