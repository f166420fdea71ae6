import { useMemo } from 'react';
import { inert, plural, shellWord } from '#kernel/text.js';
import { resourceOf, useResource } from '../../data/resource.js';
import { openTask } from '../../data/route.js';
import { absolute } from '../../data/time.js';
import { CopyIcon } from '../../shell/CopyIcon.js';
import { Dialog } from '../../shell/Dialog.js';
import { Failure, Skeleton } from '../../shell/Skeleton.js';

const ROWS_SHOWN = 50;

/** A variant of a role with the tasks behind its score, newest first. */
export function Identity({ id, onClose }: { readonly id: string; onClose(): void }) {
  const resource = useMemo(() => resourceOf('identity.performance', { id }), [id]);
  const { answer, error } = useResource(resource);
  const scores = [...(answer?.evaluations ?? [])].reverse();
  return (
    <Dialog label="Variant of a role" className="form-dialog" onClose={onClose}>
      <div className="landing">
        {answer === undefined ? (
          error === undefined ? (
            <Skeleton rows={4} />
          ) : (
            <Failure error={error} />
          )
        ) : (
          <>
            <h2>{inert(answer.name)}</h2>
            <p className="muted">
              {answer.avg_score === null ? 'Not scored yet' : `Mean ${answer.avg_score.toFixed(2)}`} over{' '}
              {plural(answer.task_count, 'score')}
            </p>
            <ul className="fact-list">
              {scores.slice(0, ROWS_SHOWN).map(({ task_id: task, timestamp, score, source }) => (
                <li key={`${task} ${timestamp}`}>
                  <button
                    type="button"
                    className="link"
                    onClick={() => {
                      onClose();
                      openTask(task);
                    }}
                  >
                    {inert(task)}
                  </button>
                  <span className="muted">
                    {source === undefined ? null : `${inert(source)} · `}
                    <time dateTime={timestamp}>{absolute(timestamp)}</time> · <strong>{score.toFixed(2)}</strong>
                  </span>
                </li>
              ))}
            </ul>
            {scores.length > ROWS_SHOWN ? <p className="muted">and {scores.length - ROWS_SHOWN} more</p> : null}
          </>
        )}
        <div className="buttons">
          <button type="button" onClick={onClose}>
            Close
          </button>
          {answer === undefined ? null : (
            <CopyIcon text={`troupe agency stats --agent ${shellWord(inert(answer.name))}`} />
          )}
        </div>
      </div>
    </Dialog>
  );
}
