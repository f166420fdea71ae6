import { useState } from 'react';
import { inert } from '#kernel/text.js';
import type { ProposalAnswer } from '#surfaces/http/contract.js';

/** Who it is, why, and under what charter; another name, or out. */
export function ProposedMember(given: {
  readonly member: ProposalAnswer['members'][number];
  /** Names of the universe that nobody here has. */
  readonly free: readonly string[];
  readonly busy: boolean;
  readonly onRemove: (() => void) | undefined;
  onRename(to: string): void;
}) {
  const { member, free, busy, onRemove, onRename } = given;
  const [renaming, setRenaming] = useState(false);
  const name = inert(member.proposed_name);
  return (
    <li className="proposed-member">
      <div className="proposed-head">
        <h3>
          <strong>{name}</strong> {inert(member.role.title)}
        </h3>
        <span className="buttons">
          <button type="button" disabled={busy} aria-expanded={renaming} onClick={() => setRenaming(!renaming)}>
            Rename<span className="unseen"> {name}</span>
          </button>
          <button type="button" disabled={busy || onRemove === undefined} onClick={onRemove}>
            Remove<span className="unseen"> {name}</span>
          </button>
        </span>
      </div>
      {renaming ? (
        <label className="field">
          Another name for {name}
          <select value="" disabled={busy} onChange={(event) => onRename(event.target.value)}>
            <option value="">Choose one of the universe</option>
            {free.map((other) => (
              <option key={other}>{inert(other)}</option>
            ))}
          </select>
        </label>
      ) : null}
      <p>{inert(member.justification)}</p>
      {member.augment_name === undefined || member.augment_name === member.proposed_name ? null : (
        <p className="muted">Joins the present team as {inert(member.augment_name)}.</p>
      )}
      <details>
        <summary>
          Charter<span className="unseen"> of {name}</span>
        </summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
        <pre className="charter" tabIndex={0}>
          {inert(member.charter_markdown, true)}
        </pre>
      </details>
    </li>
  );
}
