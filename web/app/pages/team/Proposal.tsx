import { useState } from 'react';
import { formatDuration } from '#kernel/duration.js';
import { inert, plural } from '#kernel/text.js';
import type { ProposalAnswer, TeamAnswer } from '#surfaces/http/contract.js';
import { useAction } from '../../data/action.js';
import { change } from '../../data/api.js';
import { useResource } from '../../data/resource.js';
import { useNow } from '../../data/time.js';
import { CopyIcon } from '../../shell/CopyIcon.js';
import Markdown from '../../shell/Markdown.js';
import { Failure } from '../../shell/Skeleton.js';
import { Confirm } from './Confirm.js';
import { type Amendment, amendCommand, universes, withoutTitle } from './requests.js';

const METHODS = {
  catalog: 'chosen by you',
  model: 'chosen by a model',
  lexical: 'chosen by the words of the goal',
  rules: 'chosen by what the project holds',
} as const;

/**
 * Second step of casting: review, change, confirm. Every change is made by the server, which generates the charters
 * again.
 */
export function Proposal(props: {
  readonly base: string;
  readonly proposal: ProposalAnswer;
  readonly team: TeamAnswer | undefined;
  /** Shows the response of a change, so that the next change applies to it. */
  onAmended(proposal: ProposalAnswer): void;
  /** Reloads the proposal, which may have changed meanwhile. */
  onChange(): void;
  onConfirmed(added: readonly string[]): void;
}) {
  const { base, proposal, team, onAmended, onChange, onConfirmed } = props;
  const address = `${base}/casting/proposals/${encodeURIComponent(proposal.proposal_id)}`;
  const { busy, trouble, run } = useAction();
  const pools = useResource(universes).answer?.entries ?? [];
  const pool = pools.find((entry) => entry.name === proposal.universe)?.names ?? [];
  const names = [...new Set([proposal.universe, ...pools.map((entry) => entry.name)])];
  const remainingMs = Date.parse(proposal.expires_at) - useNow();
  const [changed, setChanged] = useState<Amendment>();
  const amend = (amendment: Amendment) =>
    run(async () => {
      const body = 'universe' in amendment ? amendment : members(proposal, amendment);
      setChanged(amendment);
      try {
        onAmended(await change<ProposalAnswer>('PATCH', address, { ...body, revision: proposal.revision }));
      } catch (error) {
        onChange();
        throw error;
      }
    });
  const reject = () =>
    run(async () => {
      await change('DELETE', address);
      onChange();
    });
  return (
    <section aria-label="Proposal" className="wizard">
      <div className="proposal-head">
        <h2>
          Proposal <span className="count">{plural(proposal.members.length, 'member')}</span>
        </h2>
        {changed === undefined ? null : <CopyIcon text={amendCommand(changed)} />}
        <p className="muted" role="timer" aria-label="Time left">
          {remainingMs > 0 ? `holds for ${formatDuration(remainingMs)}` : 'expired: propose again'}
        </p>
      </div>
      <p>{inert(proposal.rationale)}</p>
      <p className="muted">{METHODS[proposal.method]}</p>
      {proposal.warnings.length === 0 ? null : (
        <ul className="warnings" aria-label="Warnings">
          {proposal.warnings.map((warning) => (
            <li key={`${warning.code} ${warning.message}`}>{inert(warning.message)}</li>
          ))}
        </ul>
      )}
      <label className="field is-short">
        Names from
        <select
          value={proposal.universe}
          disabled={busy}
          onChange={(event) => void amend({ universe: event.target.value })}
        >
          {names.map((name) => (
            <option key={name}>{inert(name)}</option>
          ))}
        </select>
      </label>
      <ul className="proposed">
        {proposal.members.map((member) => (
          <ProposedMember
            key={member.proposed_name}
            member={member}
            free={pool.filter((name) => !proposal.members.some((other) => other.proposed_name === name))}
            busy={busy}
            onRemove={proposal.members.length === 1 ? undefined : () => void amend({ drop: member.proposed_name })}
            onRename={(to) => void amend({ rename: member.proposed_name, to })}
          />
        ))}
      </ul>
      {trouble === undefined ? null : <Failure error={trouble} />}
      <Confirm
        address={address}
        proposal={proposal}
        team={team}
        expired={remainingMs <= 0}
        onReject={() => void reject()}
        onConfirmed={onConfirmed}
        onRefused={onChange}
      />
    </section>
  );
}

/** Names of the members after one was removed or renamed. */
function members(proposal: ProposalAnswer, amendment: Exclude<Amendment, { universe: string }>) {
  const nameOf = (name: string): string | undefined => {
    if ('drop' in amendment) return name === amendment.drop ? undefined : name;
    return name === amendment.rename ? amendment.to : name;
  };
  return {
    members: proposal.members.flatMap((member) => {
      const name = nameOf(member.proposed_name);
      return name === undefined ? [] : [{ archetype_id: member.role.id, proposed_name: name }];
    }),
  };
}

/** A proposed member with reason and charter; can be renamed or removed. */
function ProposedMember(props: {
  readonly member: ProposalAnswer['members'][number];
  /** Unused names of the universe. */
  readonly free: readonly string[];
  readonly busy: boolean;
  readonly onRemove: (() => void) | undefined;
  onRename(to: string): void;
}) {
  const { member, free, busy, onRemove, onRename } = props;
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
          New name for {name}
          <select value="" disabled={busy} onChange={(event) => onRename(event.target.value)}>
            <option value="">Choose a name of the universe</option>
            {free.map((other) => (
              <option key={other}>{inert(other)}</option>
            ))}
          </select>
        </label>
      ) : null}
      <p>{inert(member.justification)}</p>
      {member.held_by === undefined ? null : (
        <p className="muted">Already on the team: {inert(member.held_by)}. No one is added for it.</p>
      )}
      {member.held_by !== undefined ||
      member.augment_name === undefined ||
      member.augment_name === member.proposed_name ? null : (
        <p className="muted">Joins the team as {inert(member.augment_name)}.</p>
      )}
      <details>
        <summary>
          Charter<span className="unseen"> of {name}</span>
        </summary>
        <section aria-label={`Charter of ${name}`}>
          <Markdown text={withoutTitle(member.charter_markdown)} />
        </section>
      </details>
    </li>
  );
}
