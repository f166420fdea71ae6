import { useMemo } from 'react';
import { inert, plural } from '#kernel/text.js';
import type { LandingAnswer } from '#surfaces/http/contract.js';
import { useAction } from '../../data/action.js';
import { change } from '../../data/api.js';
import { nowResource, Resource, useResource } from '../../data/resource.js';
import { CopyIcon } from '../../shell/CopyIcon.js';
import { Dialog } from '../../shell/Dialog.js';
import { Failure, Skeleton } from '../../shell/Skeleton.js';

const COMMITS_SHOWN = 15;
const FILES_SHOWN = 40;

/** Shows merged work before anything changes, and lands it. */
export function LandingDialog({ onClose }: { onClose(): void }) {
  const resource = useMemo(() => new Resource<LandingAnswer>('worktree/landing'), []);
  const { answer, error } = useResource(resource);
  const { busy, trouble, run } = useAction();
  const land = (to: string) =>
    run(async () => {
      try {
        await change('POST', 'worktree/land', { to });
        onClose();
      } finally {
        void nowResource.load(); // moving a branch causes no event of the graph
      }
    });
  return (
    <Dialog label="Land the merged work" className="form-dialog" onClose={onClose}>
      <div className="landing">
        <h2>Land the merged work</h2>
        {answer === undefined ? (
          error === undefined ? (
            <Skeleton rows={4} />
          ) : (
            <Failure error={error} />
          )
        ) : (
          <Waiting landing={answer} />
        )}
        {trouble === undefined ? null : <Failure error={trouble} />}
        <div className="buttons">
          <button
            type="button"
            className="primary"
            disabled={busy || answer?.relation !== 'ahead' || answer.obstacle !== undefined}
            onClick={() => void (answer === undefined ? undefined : land(answer.to))}
          >
            {answer?.branch === undefined ? 'Land' : `Land on ${inert(answer.branch)}`}
          </button>
          <button type="button" onClick={onClose}>
            Not now
          </button>
          <Remedy obstacle={answer?.obstacle} />
        </div>
      </div>
    </Dialog>
  );
}

/** Command to copy: the one that lands, or the one that removes the obstacle. */
function Remedy({ obstacle }: Pick<LandingAnswer, 'obstacle'>) {
  const command = obstacle === undefined ? 'troupe worktree land' : obstacle.command;
  return command === null ? null : <CopyIcon text={command} />;
}

function Waiting({ landing }: { readonly landing: LandingAnswer }) {
  const { commits, commit_total: total, changes, obstacle, relation } = landing;
  if (relation === 'same' || relation === 'behind') return <p>Nothing to land: your branch has all merged work.</p>;
  return (
    <>
      {obstacle === undefined ? null : (
        <div className="banner" role="alert">
          <p>
            <strong>{inert(obstacle.text)}</strong> {inert(obstacle.hint)}
          </p>
        </div>
      )}
      <ul className="changed-files">
        {commits.slice(0, COMMITS_SHOWN).map(({ commit, subject }) => (
          <li key={commit}>
            <span>{inert(subject)}</span>
            <span className="mono muted">{commit.slice(0, 10)}</span>
          </li>
        ))}
      </ul>
      {total > COMMITS_SHOWN ? <p className="muted">and {total - COMMITS_SHOWN} more commits</p> : null}
      <h3>
        {plural(changes.total, 'file')}, +{changes.added} −{changes.deleted}
      </h3>
      <ul className="changed-files">
        {changes.files.slice(0, FILES_SHOWN).map(({ path, added, deleted }) => (
          <li key={path}>
            <span className="mono">{inert(path)}</span>
            <span className="number">{added === undefined ? 'binary' : `+${added} −${deleted ?? 0}`}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
