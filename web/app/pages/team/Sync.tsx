import { useEffect, useState } from 'react';
import { inert } from '#kernel/text.js';
import type { SyncAnswer, SyncDiffAnswer } from '#surfaces/http/contract.js';
import { useAction } from '../../data/action.js';
import { ask, change } from '../../data/api.js';
import { type Resource, useResource } from '../../data/resource.js';
import { CopyIcon } from '../../shell/CopyIcon.js';
import { Difference } from '../../shell/Difference.js';
import { Failure } from '../../shell/Skeleton.js';

/** Uncommitted changes of the team, and a button that commits exactly those; one line if there are none. */
export function Sync(props: {
  readonly base: string;
  readonly resource: Resource<SyncAnswer>;
  readonly everyMs: number;
}) {
  const { base, resource, everyMs } = props;
  const { answer, error } = useResource(resource, everyMs);
  const [message, setMessage] = useState('Update the team');
  const [committed, setCommitted] = useState<string>();
  const { busy, trouble, run } = useAction();
  if (error?.code === 'sync_unavailable')
    return (
      <p className="muted sync">
        {error.message} {error.hint}
      </p>
    );
  if (answer === undefined) return error === undefined ? null : <Failure error={error} />;
  const commit = () =>
    run(async () => {
      try {
        const body = { expected_change_set_hash: answer.change_set_hash, message };
        setCommitted((await change<{ commit_id: string }>('POST', `${base}/team/sync`, body)).commit_id);
      } finally {
        await resource.load();
      }
    });
  if (answer.nothing_to_sync)
    return (
      <p role="status" className="muted sync">
        {committed === undefined ? '' : `Committed as ${committed.slice(0, 10)}.`}
      </p>
    );
  return (
    <section aria-label="Git" className="sync">
      <h2>
        Not committed <span className="count">{answer.changes.length}</span>
      </h2>
      <ul className="changes">
        {answer.changes.map(({ path, kind }) => (
          <li key={path}>
            <span className="change-kind muted">{kind}</span> <code>{inert(path)}</code>
          </li>
        ))}
      </ul>
      <LineByLine base={base} hash={answer.change_set_hash} />
      <label className="field">
        Message
        <input value={message} maxLength={1000} onChange={(event) => setMessage(event.target.value)} />
      </label>
      {trouble === undefined ? null : <Failure error={trouble} />}
      <div className="buttons">
        <button type="button" disabled={busy || message.trim() === ''} onClick={() => void commit()}>
          Commit this
        </button>
        <CopyIcon text={`troupe squad sync --commit --expect ${answer.change_set_hash.slice(0, 64)}`} />
      </div>
    </section>
  );
}

/** Diff, loaded when opened and again when the changes differ. */
function LineByLine({ base, hash }: { readonly base: string; readonly hash: string }) {
  const [open, setOpen] = useState(false);
  const [diff, setDiff] = useState<SyncDiffAnswer>();
  const { trouble, run } = useAction();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another hash means another difference
  useEffect(() => {
    if (open) void run(async () => setDiff(await ask<SyncDiffAnswer>(`${base}/team/sync/diff`)));
  }, [base, hash, open]);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Line by line</summary>
      {trouble === undefined ? null : <Failure error={trouble} />}
      {diff === undefined ? null : <Difference text={diff.diff} label="Line by line" />}
      {diff?.diff_cut ? <p className="muted">The rest: git diff HEAD -- .squad</p> : null}
    </details>
  );
}
