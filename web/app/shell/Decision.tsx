import { useId } from 'react';
import { useAction } from '../data/action.js';
import { useRefusal } from '../data/visitor.js';
import { CopyIcon } from './CopyIcon.js';
import { Failure } from './Skeleton.js';

/**
 * Button for a decision reserved to people, with the equivalent command. For other visitors it is disabled, with the
 * reason.
 */
export function Decision(props: {
  readonly label: string;
  /** Subject, for the accessible name of the button. */
  readonly about: string;
  readonly command: string;
  readonly primary?: boolean;
  /** Reason why the decision is currently impossible for any visitor. */
  readonly obstacle?: string | undefined;
  act(): Promise<unknown>;
}) {
  const { label, about, command, primary = false, obstacle, act } = props;
  const refusal = useRefusal() ?? obstacle;
  const { busy, trouble, run } = useAction();
  const reason = useId();
  return (
    <div className="decision">
      <div className="decision-line">
        <button
          type="button"
          className={primary ? 'primary' : undefined}
          disabled={busy || refusal !== undefined}
          aria-describedby={refusal === undefined ? undefined : reason}
          onClick={() => void run(act)}
        >
          {label}
          <span className="unseen"> {about}</span>
        </button>
        <CopyIcon text={command} />
      </div>
      {refusal === undefined ? null : (
        <p className="muted" id={reason}>
          {refusal}
        </p>
      )}
      {trouble === undefined ? null : <Failure error={trouble} />}
    </div>
  );
}
