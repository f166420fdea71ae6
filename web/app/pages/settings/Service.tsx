import type { Answer } from '#surfaces/http/contract.js';
import { useAction } from '../../data/action.js';
import { act } from '../../data/api.js';
import { live } from '../../data/live.js';
import { projectResource, Resource, useResource } from '../../data/resource.js';
import { useStore } from '../../data/store.js';
import { useRefusal } from '../../data/visitor.js';
import { CopyIcon } from '../../shell/CopyIcon.js';
import { Reading } from '../../shell/Reading.js';
import { Failure } from '../../shell/Skeleton.js';

const LOG_EVERY_MS = 5_000;
const logResource = new Resource<Answer<'service.log'>>('service-log');

/** State of the service, what can be done with it, and its log. A page cannot start the service that serves it. */
export function Service() {
  const { answer } = useResource(projectResource);
  const log = useResource(logResource, LOG_EVERY_MS);
  const isUp = useStore(live).kind !== 'dropped';
  const refusal = useRefusal();
  const { busy, trouble, run } = useAction();
  const engine = answer?.engine;
  const isPaused = engine?.state === 'paused';
  const steer = (verb: 'pause' | 'resume' | 'stop') =>
    run(async () => {
      await act(`service.${verb}`, {});
      await projectResource.load();
    });
  return (
    <>
      <div className="service-state">
        <p>
          {!isUp || engine === undefined
            ? 'It does not answer. Start it in the project folder; this page then reconnects.'
            : isPaused
              ? 'Paused: no new attempts start; running ones continue.'
              : `${engine.state === 'running' ? 'Running' : engine.state}: ${engine.running} of ${engine.cap} slots taken.`}
        </p>
        {isUp ? (
          <div className="buttons">
            <button
              type="button"
              disabled={busy || refusal !== undefined}
              onClick={() => void steer(isPaused ? 'resume' : 'pause')}
            >
              {isPaused ? 'Resume' : 'Pause'}
            </button>
            <button type="button" disabled={busy || refusal !== undefined} onClick={() => void steer('stop')}>
              Stop
            </button>
            <CopyIcon text={`troupe service ${isPaused ? 'resume' : 'pause'}`} />
          </div>
        ) : (
          <CopyIcon text="troupe service start" />
        )}
      </div>
      {trouble === undefined ? null : <Failure error={trouble} />}
      <details className="service-log" open>
        <summary>Log</summary>
        {log.answer === undefined || log.answer.lines.length === 0 ? (
          <p className="empty">{log.error?.message ?? 'Nothing was logged yet.'}</p>
        ) : (
          <Reading text={[...log.answer.lines].reverse().join('\n')} label={`Last lines of ${log.answer.file}`} />
        )}
      </details>
    </>
  );
}
