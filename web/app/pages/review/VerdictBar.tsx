import { type MouseEvent, type ReactNode, useRef, useState } from 'react';
import { inert, plural, shellWord } from '#kernel/text.js';
import type { LandingAnswer } from '#surfaces/http/contract.js';
import { useAction } from '../../data/action.js';
import { ACT_LOOK, carryOut, commandOf, tell } from '../../data/acts.js';
import { ApiError, ask, change } from '../../data/api.js';
import { notice } from '../../data/notices.js';
import { nowResource, useResource } from '../../data/resource.js';
import { addressOf } from '../../data/route.js';
import { useRefusal } from '../../data/visitor.js';
import { CopyIcon } from '../../shell/CopyIcon.js';
import { Failure } from '../../shell/Skeleton.js';
import type { DraftReview } from './drafts.js';
import { isTooLong, REASON_BYTES, reasonOf } from './reason.js';

type Wish = 'approve' | 'land' | 'reject';

/** The decision, below the evidence: nothing is decided by one click or one key. */
export function VerdictBar({
  id,
  title,
  draft,
}: {
  readonly id: string;
  readonly title: string;
  readonly draft: DraftReview;
}) {
  const [wish, setWish] = useState<Wish>();
  const [landing, setLanding] = useState<LandingAnswer>();
  const { busy, trouble, run } = useAction();
  const refusal = useRefusal();
  const place = useRef<HTMLElement>(null);
  const reason = reasonOf(draft.words, draft.comments);
  const count = draft.comments.length;
  const close = () => {
    setWish(undefined);
    place.current?.focus();
  };
  const begin = (next: Wish) => {
    setWish(next);
    if (next === 'land') void run(async () => setLanding(await ask<LandingAnswer>('worktree/landing')));
  };
  const decide = (act: 'approve' | 'reject', after?: () => Promise<void>) =>
    run(async () => {
      const deed = await carryOut({ act, id, words: reason });
      draft.writer.clear();
      setWish(undefined);
      tell(act, inert(title), deed, () => undefined);
      await after?.();
      void nowResource.load(); // moving a branch causes no event of the graph
    });
  if (refusal !== undefined) return <VerdictFrame>{<p className="muted">{refusal}</p>}</VerdictFrame>;
  return (
    <section className="verdict-bar" aria-label="Your verdict" ref={place} tabIndex={-1}>
      {wish === 'reject' ? (
        <RejectForm
          draft={draft}
          busy={busy}
          reason={reason}
          onClose={close}
          onSend={() => void decide('reject')}
          id={id}
        />
      ) : wish === undefined ? (
        <div key="acts" className="verdict-line">
          <span className="muted verdict-hint">
            {count === 0 ? 'Comment on a line to say what is wrong with it.' : plural(count, 'comment')}
          </span>
          <button type="button" data-key="r" onClick={() => begin('reject')}>
            {count === 0 ? 'Reject…' : `Reject with ${plural(count, 'comment')}…`} <kbd>r</kbd>
          </button>
          <button type="button" data-key="a" onClick={() => begin('approve')}>
            Approve <kbd>a</kbd>
          </button>
          <button type="button" className="primary" data-key="l" onClick={() => begin('land')}>
            Approve and land <kbd>l</kbd>
          </button>
          <CopyIcon text={commandOf('approve', [id], undefined)} />
        </div>
      ) : (
        <div key="question" className="verdict-line">
          <p className="verdict-hint">{wish === 'approve' ? ACT_LOOK.approve.consequence : landingWords(landing)}</p>
          <button
            type="button"
            className="primary"
            // biome-ignore lint/a11y/noAutofocus: the question follows from the key or the click
            autoFocus
            aria-disabled={busy}
            onClick={(event: MouseEvent) => {
              // The second half of a double click is no answer.
              if (event.detail <= 1 && !busy) void decide('approve', wish === 'land' ? () => land(title) : undefined);
            }}
          >
            {wish === 'approve' ? 'Yes, approve' : 'Yes, approve and land'}
          </button>
          <button type="button" onClick={close}>
            Cancel
          </button>
          <CopyIcon
            text={`troupe approve ${shellWord(inert(id))}${wish === 'land' ? ' && troupe worktree land' : ''}`}
          />
        </div>
      )}
      {trouble === undefined ? null : <Failure error={trouble} />}
    </section>
  );
}

function VerdictFrame({ children }: { readonly children: ReactNode }) {
  return (
    <section className="verdict-bar" aria-label="Your verdict">
      {children}
    </section>
  );
}

/** Effect of landing, with the other work that would land too. */
function landingWords(landing: LandingAnswer | undefined): string {
  if (landing === undefined) return 'It is merged for good, and your branch moves to it.';
  const { branch, commit_total: waiting, obstacle, relation } = landing;
  const onto = branch === undefined ? 'your branch' : inert(branch);
  if (obstacle !== undefined) return `It is merged for good, but cannot land yet: ${inert(obstacle.text)}`;
  const with_ = relation === 'ahead' && waiting > 0 ? `, with ${plural(waiting, 'commit')} that already wait` : '';
  return `It is merged for good, and ${onto} moves to it${with_}.`;
}

/** Lands what has been merged, and reports it, or what prevented it: the page of what is approved asks no more. */
async function land(title: string): Promise<void> {
  try {
    const { to, obstacle, branch, relation } = await ask<LandingAnswer>('worktree/landing');
    if (obstacle !== undefined) throw new ApiError(obstacle.code, obstacle.text, obstacle.hint);
    if (relation !== 'ahead') return;
    await change('POST', 'worktree/land', { to });
    notice.set({ text: `Approved and landed on ${inert(branch ?? 'your branch')}: ${inert(title)}` });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    notice.set({ text: `Approved, but not landed: ${error.message} ${error.hint}` });
  }
}

function RejectForm({
  draft,
  busy,
  reason,
  id,
  onSend,
  onClose,
}: {
  readonly draft: DraftReview;
  readonly busy: boolean;
  readonly reason: string;
  readonly id: string;
  onSend(): void;
  onClose(): void;
}) {
  const count = draft.comments.length;
  const tooLong = isTooLong(reason);
  const mayGo = reason !== '' && !tooLong && !busy;
  return (
    <form
      className="verdict-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (mayGo) onSend();
      }}
    >
      <label className="field">
        {count === 0
          ? 'Reason, which the next attempt reads'
          : `Reason beside ${plural(count, 'comment')}; the next attempt reads all of it`}
        <textarea
          // biome-ignore lint/a11y/noAutofocus: the button that opens the field means to fill it in
          autoFocus
          rows={2}
          value={draft.words}
          onChange={(event) => draft.writer.say(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') {
              event.preventDefault();
              onClose();
            }
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
          }}
        />
      </label>
      {count === 0 ? null : (
        <details>
          <summary>What is sent</summary>
          <pre className="check-output">{inert(reason, true)}</pre>
        </details>
      )}
      <div className="verdict-line">
        {tooLong ? <p className="verdict-hint">Too long: the next attempt reads {REASON_BYTES / 1024} KiB.</p> : null}
        <button type="submit" className="primary" disabled={!mayGo}>
          {count === 0 ? 'Reject' : `Reject with ${plural(count, 'comment')}`}
        </button>
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        <CopyIcon text={commandOf('reject', [id], undefined, reason === '' ? '…' : reason)} />
      </div>
    </form>
  );
}

/** The next work that waits for a review. */
export function NextReview({ id }: { readonly id: string }) {
  const { answer } = useResource(nowResource);
  const next = answer?.needs_you.rows.find((row) => row.id !== id && row.state === 'pending-validation');
  if (next === undefined) return null;
  return (
    <a className="record-link" data-key="a" href={addressOf({ place: 'tasks', view: 'task', item: next.id })}>
      Next to review: {inert(next.title)}
    </a>
  );
}
